import { isStandardSchema } from './toToolDefinition'
import type { AnyTool, StandardIssue, ToolValidator } from './types'

type Args = Readonly<Record<string, unknown>>

/** What came of checking arguments: the value `execute` gets, or the text that tells the model what is wrong. */
export type ArgsCheck = { args: Args } | { error: string }

/**
 * Checks the arguments of a call: by the tool's own Standard Schema, whose output is then what `execute` gets, else by
 * `validator`; without either they pass. A promise only where the check itself is one.
 */
export function validateArgs(
  tool: AnyTool,
  args: Args,
  validator?: ToolValidator,
): ArgsCheck | Promise<ArgsCheck> {
  const { parameters } = tool
  return isStandardSchema(parameters)
    ? follow(parameters['~standard'].validate(args), (checked) =>
        checked.issues ? { error: issuesText(checked.issues) } : { args: checked.value as Args },
      )
    : follow(validator?.(tool, args), (error) => (error === undefined ? { args } : { error }))
}

function follow<T>(value: T | Promise<T>, read: (value: T) => ArgsCheck) {
  return value instanceof Promise ? value.then(read) : read(value)
}

function issuesText(issues: readonly StandardIssue[]): string {
  return issues
    .map(({ path, message }) => (path?.length ? `${pathText(path)}: ` : '') + message)
    .join('; ')
}

function pathText(path: NonNullable<StandardIssue['path']>): string {
  return path.map((key) => String(typeof key === 'object' ? key.key : key)).join('.')
}
