import {
  isPlainObject,
  type AnyTool,
  type ChatSettings,
  type ResponseFormat,
  type ToolChoice,
} from '../core'
import type { ClientChoice } from './options'
import { invalid } from './refusal'

/** What is used of a client's body beside the transcript. @internal */
export interface ClientFields {
  id: string | undefined
  messageId: string | undefined
  tools: AnyTool[]
  model?: string
  system?: string
  settings?: ChatSettings
  toolChoice?: ToolChoice
  maxToolRoundtrips?: number
}

/** How many tools a client may offer. */
const maxTools = 128

/** Checks a client's body; what `allow` does not name is not looked at. Throws a `Refusal`. @internal */
export function readFields(
  body: Record<string, unknown>,
  allow: readonly ClientChoice[],
): ClientFields {
  const fields: ClientFields = {
    id: optionalText(body, 'id'),
    messageId: optionalText(body, 'messageId'),
    tools: readTools(body.tools ?? []),
  }
  const allowed = new Set<string>(allow)
  const take = (name: ClientChoice, read: (value: unknown) => object) => {
    const value = body[name]
    if (allowed.has(name) && value !== undefined && value !== null) {
      Object.assign(fields, read(value))
    }
  }
  take('model', (model) => ({ model: text('/model', model) }))
  take('system', (system) => ({ system: text('/system', system) }))
  take('settings', (settings) => ({ settings: readSettings(settings) }))
  take('toolChoice', (choice) => ({ toolChoice: readToolChoice(choice) }))
  take('maxToolRoundtrips', (count) => {
    if (!Number.isInteger(count) || (count as number) < 0) {
      throw invalid('/maxToolRoundtrips', 'expected a whole number from 0')
    }
    return { maxToolRoundtrips: count }
  })
  return fields
}

function text(pointer: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(pointer, 'expected a string')
  return value
}

function optionalText(body: Record<string, unknown>, name: string): string | undefined {
  return text(`/${name}`, body[name] ?? '') || undefined
}

/** Definitions without anything that could run here. */
function readTools(tools: unknown): AnyTool[] {
  if (!Array.isArray(tools)) throw invalid('/tools', 'expected an array')
  if (tools.length > maxTools) throw invalid('/tools', `more than ${maxTools} tools`)
  const names = new Set<string>()
  return tools.map((tool: unknown, index) => {
    const at = `/tools/${index}`
    if (!isPlainObject(tool)) throw invalid(at, 'expected an object')
    const name = text(`${at}/name`, tool.name)
    if (!/^[^\s]{1,128}$/.test(name)) {
      throw invalid(`${at}/name`, 'expected 1 to 128 characters without spaces')
    }
    if (names.has(name)) throw invalid(`${at}/name`, `'${name}' is used twice`)
    names.add(name)
    const { parameters } = tool
    if (parameters !== undefined && (!isPlainObject(parameters) || '~standard' in parameters)) {
      throw invalid(`${at}/parameters`, 'expected a JSON Schema')
    }
    const description = text(`${at}/description`, tool.description ?? '')
    return { name, ...(description && { description }), ...(parameters && { parameters }) }
  })
}

const settingTypes: Record<
  Exclude<keyof ChatSettings, 'responseFormat'>,
  'number' | 'string' | 'boolean' | 'stop'
> = {
  temperature: 'number',
  topP: 'number',
  topK: 'number',
  maxTokens: 'number',
  stop: 'stop',
  seed: 'number',
  presencePenalty: 'number',
  frequencyPenalty: 'number',
  reasoningEffort: 'string',
  parallelToolCalls: 'boolean',
}

function readSettings(settings: unknown): ChatSettings {
  if (!isPlainObject(settings)) throw invalid('/settings', 'expected an object')
  const read: Record<string, unknown> = {}
  for (const [name, type] of Object.entries(settingTypes)) {
    const value = settings[name]
    if (value === undefined || value === null) continue
    const list: unknown[] = type === 'stop' && Array.isArray(value) ? value : [value]
    const wanted = type === 'stop' ? 'string' : type
    if (list.some((item) => typeof item !== wanted)) {
      throw invalid(`/settings/${name}`, `expected a ${wanted}`)
    }
    read[name] = value
  }
  const { responseFormat } = settings
  if (responseFormat !== undefined && responseFormat !== null) {
    read.responseFormat = readResponseFormat(responseFormat)
  }
  return read
}

function readResponseFormat(format: unknown): ResponseFormat {
  const at = '/settings/responseFormat'
  if (!isPlainObject(format) || format.type !== 'json')
    throw invalid(at, "expected { type: 'json' }")
  const { schema } = format
  if (schema !== undefined && !isPlainObject(schema)) {
    throw invalid(`${at}/schema`, 'expected a JSON Schema')
  }
  const name = text(`${at}/name`, format.name ?? '')
  return { type: 'json', ...(schema && { schema }), ...(name && { name }) }
}

function readToolChoice(choice: unknown): ToolChoice {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (isPlainObject(choice)) return { name: text('/toolChoice/name', choice.name) }
  throw invalid('/toolChoice', "expected 'auto', 'none', 'required' or { name }")
}
