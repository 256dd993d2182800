import type { FinishReason, ToolCallPart, ToolErrorCode, Usage } from 'vue-llm'

const errorWords: Record<ToolErrorCode, string> = {
  stopped: 'Stopped',
  limit: 'Over the round limit',
  declined: 'Declined',
  unanswered: 'Not answered',
  interrupted: 'Interrupted',
  'unknown-tool': 'Unknown tool',
  cut: 'Cut off',
  'invalid-args': 'Invalid arguments',
  timeout: 'Timed out',
}

/** The state of a tool call in a person's words. */
export function stateWords(call: ToolCallPart, asksPerson: boolean): string {
  switch (call.state) {
    case 'streaming':
      return 'Writing arguments'
    case 'pending':
      if (call.approval?.state === 'requested') return 'Needs your approval'
      if (call.approval?.state === 'approved') return 'Approved'
      return asksPerson ? 'Waits for your answer' : 'Waiting'
    case 'running':
      return 'Running'
    case 'result':
      return call.answeredBy ? 'Answered by you' : 'Done'
    case 'error':
      return call.errorCode ? errorWords[call.errorCode] : 'Failed'
  }
}

const finishWords: Record<FinishReason, string> = {
  stop: 'finished',
  'tool-calls': 'asked for tools',
  length: 'reached the token limit',
  'content-filter': 'withheld by a content filter',
  stopped: 'stopped by you',
  error: 'failed',
  truncated: 'broke off',
  other: 'ended',
}

/** Why a round ended, in a person's words. */
export function finishReasonWords(reason: FinishReason): string {
  return finishWords[reason]
}

/** Tokens in and out, short. */
export function usageWords({ inputTokens, outputTokens, reasoningTokens }: Usage): string {
  const thinking = reasoningTokens ? ` (${reasoningTokens} for thinking)` : ''
  return `${inputTokens} in, ${outputTokens} out${thinking}`
}

/** A value as a person reads it: text as it is, else JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return JSON.stringify(value, undefined, 2) ?? 'undefined'
}
