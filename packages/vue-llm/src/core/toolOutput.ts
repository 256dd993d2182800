import { closingText } from './calls'
import { errorText } from './errors'
import type { AnyTool, ModelOutput, ToolCallPart } from './types'

/**
 * What the model reads of a call: the result as it is where it is a string, else as JSON; an error with `Error: `
 * before it; for a declined call also that a person declined it; for one that is still open, that no answer was given.
 * `toModelOutput` of the tool decides for results.
 */
export function toolOutput(call: ToolCallPart, tools: readonly AnyTool[] = []): ModelOutput {
  let { error = closingText.unanswered } = call
  const { declined } = closingText
  if (call.errorCode === 'declined' && error !== declined) error = `${declined}: ${error}`
  if (call.state === 'result') {
    const tool = tools.find(({ name }) => name === call.toolName)
    try {
      return tool?.toModelOutput ? tool.toModelOutput(call.result) : resultText(call.result)
    } catch (failure) {
      error = errorText(failure)
    }
  }
  // Also on wires that mark a failed result: a model reads the same whichever provider it is asked by.
  return `Error: ${error}`
}

/** A result as text: a string as it is, else JSON. Throws a `TypeError` for what can't be serialised. @internal */
export function resultText(result: unknown): string {
  if (typeof result === 'string') return result
  const text: string | undefined = JSON.stringify(result ?? null)
  if (text === undefined) throw new TypeError(`a ${typeof result} can't be sent to the model`)
  return text
}
