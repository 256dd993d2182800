import { LLMError } from '../core'
import type { ChatRequest, Chunk, Provider } from '../core'
import { finish, hang, text } from './script'
import type { Script, ScriptFunction, ScriptItem, ScriptRound } from './script'
import { wait } from './wait'

/** How a scripted provider behaves beside its script. */
export interface ScriptedProviderOptions {
  /** @default 'scripted' */
  name?: string
  /** Stands for a back end of one's own that calls the model (see `Provider.remote`). @default false */
  remote?: boolean
  /** Milliseconds before each chunk. @default 0 */
  delayMs?: number
  /** What a request beyond the script gets: the last round again, or an error that says so. @default 'error' */
  afterScript?: 'repeat-last' | 'error'
  /** Goes on after an abort, as rude providers do. @default false */
  ignoreAbort?: boolean
  /** Whether it can also answer without streaming, from the same script. @default false */
  complete?: boolean
}

/** A provider for tests that remembers what it was asked. */
export interface ScriptedProvider extends Provider {
  /** Every request so far, with its messages copied as they were when it was made. */
  readonly requests: ChatRequest[]
}

/**
 * A provider for tests: plays a script round by round instead of asking a model, and keeps every request.
 *
 * A round is what it plays for one request: chunks, with waits, errors and a hang among them. A round that is only a
 * string is a whole answer. Call ids left empty are numbered.
 *
 * Rejects with `LLMError('misuse')` when asked more often than scripted (see `afterScript`).
 *
 * @example
 * const provider = createScriptedProvider([
 *   [toolCall('get_weather', { city: 'Oslo' }), finish('tool-calls')],
 *   'It is 7 degrees in Oslo.',
 * ])
 * // … send a message, then:
 * expect(provider.requests).toHaveLength(2)
 */
export function createScriptedProvider(
  script: Script,
  options: ScriptedProviderOptions = {},
): ScriptedProvider {
  const { name = 'scripted', delayMs = 0, afterScript = 'error', ignoreAbort = false } = options
  const requests: ChatRequest[] = []
  const minted = { count: 0 }

  function stream(request: ChatRequest): AsyncGenerator<Chunk> {
    const index = requests.push({ ...request, messages: toPlain(request.messages) }) - 1
    const round = findRound(script, index, name, afterScript)
    const never = new AbortController().signal
    const signal = ignoreAbort ? never : request.signal
    return play(round, index, request, { delayMs, signal, nameCall: callNamer(request, minted) })
  }

  return {
    name,
    requests,
    stream,
    ...(options.remote && { remote: true }),
    ...(options.complete && {
      async complete(request: ChatRequest): Promise<Chunk[]> {
        const chunks: Chunk[] = []
        for await (const chunk of stream(request)) chunks.push(chunk)
        return chunks
      },
    }),
  }
}

interface Playing {
  delayMs: number
  signal: AbortSignal
  nameCall(chunk: Chunk): Chunk
}

async function* play(
  round: ScriptRound | ScriptFunction | Error,
  index: number,
  request: ChatRequest,
  { delayMs, signal, nameCall }: Playing,
): AsyncGenerator<Chunk> {
  if (signal.aborted) return
  const decided =
    typeof round === 'function' ? await untilAbort(round(request, index), signal) : round
  const chunks =
    typeof decided === 'object' && Symbol.asyncIterator in decided
      ? readAll(decided, signal)
      : playItem(typeof decided === 'string' ? [text(decided), finish()] : decided, request, signal)
  for await (const chunk of chunks) {
    await wait(delayMs, signal)
    if (signal.aborted) return
    yield nameCall(chunk)
    if (signal.aborted) return
  }
}

async function* playItem(
  item: ScriptItem | undefined | void,
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<Chunk> {
  if (item === undefined || signal.aborted) return
  if (item instanceof Error) throw item
  if (typeof item === 'number') return wait(item, signal)
  if (item === hang) await untilAbort(new Promise(() => {}), signal)
  else if (typeof item === 'string') yield text(item)
  else if (typeof item === 'function') {
    yield* playItem(await untilAbort(item(request), signal), request, signal)
  } else if (isList(item)) {
    for (const inner of item) yield* playItem(inner, request, signal)
  } else if (typeof item === 'object') yield item
}

async function* readAll(source: AsyncIterable<Chunk>, signal: AbortSignal): AsyncGenerator<Chunk> {
  const iterator = source[Symbol.asyncIterator]()
  let next: IteratorResult<Chunk> | undefined
  try {
    while ((next = await untilAbort(iterator.next(), signal)) && !next.done) yield next.value
  } finally {
    // Not awaited: an iterator that hangs would hang the abort, too.
    if (!next?.done) void iterator.return?.()
  }
}

/** The value, or `undefined` as soon as the signal aborts. */
function untilAbort<T>(value: T | Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    Promise.resolve(value)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}

function findRound(
  script: Script,
  index: number,
  name: string,
  afterScript: 'repeat-last' | 'error',
): ScriptRound | ScriptFunction | Error {
  if (typeof script === 'function') return script
  const round = script[index] ?? (afterScript === 'repeat-last' ? script.at(-1) : undefined)
  if (round !== undefined) return round
  return new LLMError(
    'misuse',
    `the script of provider '${name}' has ${script.length} round(s), but this is request ` +
      `${index + 1}: add a round, or set afterScript: 'repeat-last'`,
  )
}

/** Gives calls without an id one that neither this provider nor the request's transcript has used. */
function callNamer(request: ChatRequest, minted: { count: number }): (chunk: Chunk) => Chunk {
  const used = new Set(
    request.messages.flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'tool-call' ? part.toolCallId : '')),
    ),
  )
  let open: string | undefined
  return (chunk) => {
    if (!('toolCallId' in chunk) || chunk.toolCallId) return chunk
    const starts = chunk.type === 'tool-call-start'
    if (starts || open === undefined) {
      do open = `call_${++minted.count}`
      while (used.has(open))
    }
    const named = { ...chunk, toolCallId: open }
    if (chunk.type === 'tool-call-end') open = undefined
    return named
  }
}

function isList(item: ScriptItem): item is readonly ScriptItem[] {
  return Array.isArray(item)
}

/** A deep copy of arrays and plain objects, also through Vue's proxies, which `structuredClone` refuses. */
function toPlain<T>(value: T): T
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => toPlain(item))
  if (typeof value !== 'object' || value === null) return value
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toPlain(item)]))
}
