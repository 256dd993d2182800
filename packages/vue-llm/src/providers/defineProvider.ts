import { providerTraits, type ChatRequest, type Chunk, type Provider } from '../core'
import { attempt } from './attempt'
import { readStream } from './readStream'
import { send } from './send'
import type { CommonOptions, ProviderCreator, ProviderDefinition } from './types'

/**
 * Makes a provider of how its wire is written and read. The rest is the same for all: URL, key and headers, abort,
 * HTTP errors, retries and time limits, SSE and JSON lines, a JSON answer where a stream was asked for, how a stream
 * ends, secrets kept out of messages.
 *
 * @example
 * const createEchoProvider = defineProvider({
 *   name: 'echo',
 *   toRequest: ({ model, messages }) => ({ path: '/echo', body: { model, messages } }),
 *   toChunks: (round) => ({
 *     event(data: { text?: string; last?: boolean }) {
 *       if (data.text) round.emit({ type: 'text-delta', text: data.text })
 *       if (data.last) round.finishReason = 'stop'
 *     },
 *   }),
 * })
 */
export function defineProvider<Own extends object = object>(
  definition: ProviderDefinition<Own>,
): ProviderCreator<Own> {
  const { name, toChunks } = definition
  const create = (options: CommonOptions & Own): Provider => {
    const { maxRetries, timeouts } = options
    const run = (request: ChatRequest, stream: boolean) =>
      attempt(
        name,
        request,
        (watched) =>
          readStream(
            () => send(definition, options, watched, stream),
            watched,
            (round) => toChunks(round, request, options),
          ),
        { maxRetries, timeouts },
        stream,
      )
    return {
      ...providerTraits(definition),
      stream: (request) => run(request, true),
      async complete(request) {
        const chunks: Chunk[] = []
        for await (const chunk of run(request, false)) chunks.push(chunk)
        return chunks
      },
    }
  }
  return ((options = {} as Own) => create(options)) as ProviderCreator<Own>
}
