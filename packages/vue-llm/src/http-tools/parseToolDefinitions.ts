import { LLMError } from '../core'
import type { DefinitionOptions, ParsedDefinitions } from './types'

/** Reads a definition file. */
export function parseToolDefinitions(
  _input: unknown,
  _options: DefinitionOptions = {},
): ParsedDefinitions {
  throw new LLMError('invalid-definition', 'not built yet', { errors: [] })
}
