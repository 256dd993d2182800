import type { ChatRequest, Chunk, FinishReason, Usage } from '../core'

/** Never goes on until the request is aborted: a model that hangs. */
export const hang: unique symbol = Symbol('hang')

/**
 * One thing a scripted provider does: a chunk; a string (short for a text delta); a number (milliseconds to wait); an
 * `Error` (thrown there); {@link hang}; a function of the request that may await and gives more items, or nothing; or
 * several items in an array.
 */
export type ScriptItem =
  | Chunk
  | string
  | number
  | Error
  | typeof hang
  | ((request: ChatRequest) => ScriptItem | void | Promise<ScriptItem | void>)
  | readonly ScriptItem[]

/** One round: items in order, or a string for a whole answer of that text. */
export type ScriptRound = string | readonly ScriptItem[]

/** Decides a round by its request; `index` counts the requests from 0. */
export type ScriptFunction = (
  request: ChatRequest,
  index: number,
) => ScriptRound | AsyncIterable<Chunk> | Promise<ScriptRound>

/** What a scripted provider plays: a list of rounds, each fixed or decided by a function, or one function for all. */
export type Script = readonly (ScriptRound | ScriptFunction)[] | ScriptFunction

/** A piece of visible text. */
export function text(value: string): Chunk<'text-delta'> {
  return { type: 'text-delta', text: value }
}

/** A piece of what the model thinks. */
export function reasoning(value: string): Chunk<'reasoning-delta'> {
  return { type: 'reasoning-delta', text: value }
}

/** A whole tool call in one chunk. Without an id the scripted provider numbers it: `call_1`, `call_2`, … */
export function toolCall(toolName: string, args: unknown = {}, id = ''): Chunk<'tool-call-end'> {
  return { type: 'tool-call-end', toolCallId: id, toolName, args }
}

/**
 * A tool call whose arguments arrive bit by bit: as many deltas as there are pieces, or the JSON of an object cut every
 * eight characters.
 *
 * @example
 * createScriptedProvider([[streamedToolCall('get_weather', { city: 'Oslo' }), finish('tool-calls')]])
 */
export function streamedToolCall(
  toolName: string,
  args: object | readonly string[],
  id = '',
): Chunk<'tool-call-start' | 'tool-call-delta' | 'tool-call-end'>[] {
  const pieces = Array.isArray(args)
    ? args.map(String)
    : (JSON.stringify(args).match(/.{1,8}/gsu) ?? [])
  return [
    { type: 'tool-call-start', toolCallId: id, toolName },
    ...pieces.map((argsText) => ({ type: 'tool-call-delta', toolCallId: id, argsText }) as const),
    { type: 'tool-call-end', toolCallId: id },
  ]
}

/** Closes the round. */
export function finish(finishReason: FinishReason = 'stop', usage?: Usage): Chunk<'step-end'> {
  return { type: 'step-end', finishReason, ...(usage && { usage }) }
}
