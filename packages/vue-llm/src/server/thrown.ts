import { errorText, type Provider } from '../core'
import type { HandlerErrorEvent } from './options'

type Source = HandlerErrorEvent['source']

/**
 * What was thrown in one answer, found by its text: a chunk holds the text alone, but `onError` gets the error itself,
 * and a `ToolError` may be shown.
 * @internal
 */
export interface Thrown {
  note(source: Source, error: unknown): void
  find(text: string): { error: unknown; source: Source } | undefined
  /** The same function, whose errors are noted. */
  watch<A extends unknown[], R>(
    source: Source,
    run: (...args: A) => R | Promise<R>,
  ): (...args: A) => Promise<R>
}

/** @internal */
export function createThrown(): Thrown {
  const byText = new Map<string, { error: unknown; source: Source }>()
  const note = (source: Source, error: unknown) =>
    void byText.set(errorText(error), { error, source })
  return {
    note,
    find: (text) => byText.get(text),
    watch:
      (source, run) =>
      async (...args) => {
        try {
          return await run(...args)
        } catch (error) {
          note(source, error)
          throw error
        }
      },
  }
}

/** A provider whose errors are noted. @internal */
export function watchProvider(provider: Provider, thrown: Thrown): Provider {
  const { name, remote } = provider
  const note = (error: unknown) => thrown.note('provider', error)
  return {
    name,
    ...(remote && { remote }),
    stream(request) {
      try {
        const iterator = provider.stream(request)[Symbol.asyncIterator]()
        return {
          [Symbol.asyncIterator]: () => ({
            next() {
              try {
                const next = Promise.resolve(iterator.next())
                // Beside whoever waits, not before: a promise around each chunk would cost as much as the chunk.
                next.then(undefined, note)
                return next
              } catch (error) {
                note(error)
                throw error
              }
            },
            // Not behind `next`: a stream that hangs can still be told to end.
            return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
          }),
        }
      } catch (error) {
        note(error)
        throw error
      }
    },
  }
}
