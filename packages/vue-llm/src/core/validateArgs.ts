import { isStandardSchema } from './toToolDefinition'
import type { AnyTool, ToolValidator } from './types'

type Args = Readonly<Record<string, unknown>>

/** What came of checking arguments: the value `execute` gets, or the text that tells the model what is wrong. */
export type ArgsCheck = { args: Args } | { error: string }

/**
 * Checks the arguments of a call: by the tool's own Standard Schema, whose output is then what `execute` gets, else by
 * `validator`; without either they pass.
 *
 * @internal
 */
export async function validateArgs(
  tool: AnyTool,
  args: Args,
  validator?: ToolValidator,
): Promise<ArgsCheck> {
  const { parameters } = tool
  if (!isStandardSchema(parameters)) {
    const error = await validator?.(tool, args)
    return error === undefined ? { args } : { error }
  }
  const checked = await parameters['~standard'].validate(args)
  if (!checked.issues) return { args: checked.value as Args }
  const lines = checked.issues.map(({ path = [], message }) => {
    const place = path.map((key) => String(typeof key === 'object' ? key.key : key)).join('.')
    return place ? `${place}: ${message}` : message
  })
  return { error: lines.join('; ') }
}
