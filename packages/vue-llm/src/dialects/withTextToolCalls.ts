import { providerTraits, type ChatRequest, type Chunk, type Provider } from '../core'
import { hermes } from './hermes'
import { qwen } from './qwen'
import { createTextScan, type TextScan } from './scan'
import { think } from './think'
import type { ToolCallDialect } from './types'

/** Options of {@link withTextToolCalls}. */
export interface TextToolCallOptions {
  /** The ways of writing calls that are understood. @default [qwen, hermes] */
  dialects?: readonly ToolCallDialect[] | undefined
}

/** A request of a wrapper around another one, which then reads the text for both. */
interface WrappedRequest extends ChatRequest {
  outer?: { dialects: readonly ToolCallDialect[]; isRelieved?: boolean }
}

/**
 * Reads the tool calls that a model writes as text, as if the server had sent them apart: the text of a call is never
 * shown, and what stands around it is shown as it is. Where the server sends calls apart as well, those count alone.
 *
 * A `<think>…</think>` that begins a text becomes reasoning. Text is looked through for calls only where the request
 * has tools; reasoning never is.
 *
 * A call that is quoted as code runs all the same, as models do write calls so; a tag with backticks directly around it
 * is text.
 *
 * `createOpenAIProvider` has it already: dialects go to its option `textToolCalls`. Around a provider that has it, the
 * inner one reads for both, and tries the dialects of the outer one first.
 */
export function withTextToolCalls(
  provider: Provider,
  { dialects = [qwen, hermes] }: TextToolCallOptions = {},
): Provider {
  return {
    ...providerTraits(provider),
    async *stream(request) {
      const { inner, read, end } = createRounds(request, dialects)
      try {
        // One by one: `yield*` would pass each chunk through two promises more.
        for await (const chunk of provider.stream(inner)) {
          const chunks = read(chunk)
          if (chunks) for (const one of chunks) yield one
          else yield chunk
        }
      } catch (error) {
        for (const one of end(false)) yield one
        throw error
      }
      for (const one of end()) yield one
    },
    ...(provider.complete && {
      async complete(request: ChatRequest) {
        const { inner, read, end } = createRounds(request, dialects)
        const chunks = (await provider.complete?.(inner)) ?? []
        return [...chunks.flatMap((chunk) => read(chunk) ?? chunk), ...end()]
      },
    }),
  }
}

/** Reads the chunks of an answer, which may have several rounds. */
function createRounds(request: WrappedRequest, own: readonly ToolCallDialect[]) {
  const { outer } = request
  if (outer) outer.isRelieved = true
  const dialects = [...new Set([...(outer?.dialects ?? []), ...own])]
  const mine: WrappedRequest['outer'] = { dialects }
  const inner: WrappedRequest = { ...request, outer: mine }
  const all = request.tools.length ? [think, ...dialects] : [think]
  let scan: TextScan | undefined

  const take = (last?: Chunk): Chunk[] => {
    const chunks = scan?.chunks.splice(0) ?? []
    if (last) chunks.push(last)
    return chunks
  }
  const end = (isWhole = !request.signal.aborted, last?: Chunk): Chunk[] => {
    scan?.end(isWhole)
    const chunks = take(last)
    scan = undefined
    return chunks
  }
  return {
    inner,
    end,
    /** What comes in place of a chunk; `undefined` where that is left as it is. */
    read(chunk: Chunk): Chunk[] | undefined {
      if (mine.isRelieved) return undefined
      const { type } = chunk
      if (type === 'text-delta') {
        scan ??= createTextScan(request, all)
        return scan.feed(chunk) ? undefined : take()
      }
      if (type === 'step-end') {
        return end(['stop', 'tool-calls', 'other'].includes(chunk.finishReason), chunk)
      }
      if (type === 'error') return end(false, chunk)
      if (/^tool-call-(start|end)$/.test(type) && !('providerExecuted' in chunk)) {
        scan ??= createTextScan(request, all)
        scan.mute()
      }
      return take(chunk)
    },
  }
}
