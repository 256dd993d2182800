import type { Ref } from 'vue'
import {
  callsOf,
  errorText,
  findCall,
  isOpenCall,
  isPlainObject,
  isWaiting,
  LLMError,
  resultText,
  startsByItself,
  type AnyTool,
  type Chunk,
  type Message,
  type ToolCallPart,
} from '../core'
import type { Turns } from './turns'

/** An answer to a tool call: a result, or an error's text. */
export type ToolAnswer =
  | { toolCallId: string; result: unknown; error?: undefined }
  | { toolCallId: string; error: string }

/** A person's word on a call that needs approval. */
export interface ApprovalAnswer {
  toolCallId: string
  approved: boolean
  /** Why it was declined; the model reads it. */
  reason?: string
  /** Edited arguments, which the tool and the model then get. */
  args?: Readonly<Record<string, unknown>>
}

const misuse = (text: string) => new LLMError('misuse', text)

/** What a person may do with the calls of a chat. @internal */
export function createAnswers(
  messages: Ref<Message[]>,
  apply: (message: Message, chunk: Chunk) => void,
  turns: Turns,
) {
  function locate(toolCallId: string): { message: Message; call: ToolCallPart } {
    const list = messages.value
    for (let i = list.length - 1; i >= 0; i--) {
      const message = list[i]
      const call = message && findCall(message, toolCallId)
      if (!call) continue
      if (call.state === 'streaming') {
        throw misuse(`tool call '${toolCallId}' can't be answered while its arguments stream`)
      }
      return { message, call }
    }
    throw misuse(`there is no tool call '${toolCallId}' in this chat`)
  }

  return {
    async addToolResult(answer: ToolAnswer): Promise<boolean> {
      const { toolCallId } = answer
      const { message, call } = locate(toolCallId)
      if (!isOpenCall(call)) return false
      const running = turns.runningCall(call)
      apply(message, { ...toOutcome(answer), toolCallId, answeredBy: 'person' })
      running?.abort()
      turns.proceed()
      return true
    },
    async answerApproval(answer: ApprovalAnswer): Promise<boolean> {
      const { message, call } = locate(answer.toolCallId)
      if (!isOpenCall(call) || call.approval?.state === 'approved') return false
      if (!call.approval) {
        throw misuse(
          `tool call '${answer.toolCallId}' needs no approval; answer it with addToolResult`,
        )
      }
      if (answer.args !== undefined && (!isPlainObject(answer.args) || problemOf(answer.args))) {
        throw misuse('edited arguments must be a plain object that JSON can hold')
      }
      apply(message, { type: 'tool-approval-response', ...answer })
      turns.proceed()
      return true
    },
  }
}

/** The calls of the last message that are left to a person. @internal */
export function pendingCalls(
  messages: Message[],
  tools: readonly AnyTool[],
): (ToolCallPart & { state: 'pending' })[] {
  return callsOf(messages.at(-1)).filter(
    (call): call is ToolCallPart & { state: 'pending' } =>
      call.state === 'pending' && isWaiting(call) && !startsByItself(call, tools),
  )
}

/** What keeps a value from being sent to a model, if anything. */
function problemOf(value: unknown): string | undefined {
  try {
    resultText(value)
    return undefined
  } catch (error) {
    return errorText(error)
  }
}

function toOutcome({
  result,
  error = problemOf(result),
}: ToolAnswer & { result?: unknown }):
  | { type: 'tool-error'; error: string }
  | { type: 'tool-result'; result: unknown } {
  return error === undefined
    ? { type: 'tool-result', result }
    : { type: 'tool-error', error: String(error) }
}
