import { ping, startBeats, type OpenAnswer } from './openAnswer'

/**
 * The answer as server-sent events. Nothing goes on while nobody reads; a reader that cancels, or an abort of the
 * signal, ends everything at once.
 * @internal
 */
// long: closures over the state of one stream
export function streamAnswer(
  { heartbeatMs, run }: OpenAnswer,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const controller = new AbortController()
  const encoder = new TextEncoder()
  let isStarted = false
  let isCancelled = false
  /** Ends the pull at hand: somebody waits for an event. */
  let answerPull: (() => void) | undefined
  /** Lets the answer go on, which waits for somebody to read. */
  let goOn: (() => void) | undefined
  let timer: ReturnType<typeof startBeats>
  function stopBeats(): void {
    clearInterval(timer)
    timer = undefined
  }
  function pulled(): void {
    answerPull?.()
    answerPull = undefined
  }
  async function start(out: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (isStarted) return
    isStarted = true
    await run(controller.signal, (event) => {
      // Nobody may read any more, but what is open must be closed.
      if (controller.signal.aborted) return
      out.enqueue(encoder.encode(event))
      pulled()
      return new Promise((resolve) => (goOn = resolve))
    })
    stopBeats()
    signal.removeEventListener('abort', abort)
    if (!isCancelled) out.close()
    pulled()
  }
  let abort = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(out) {
        abort = () => {
          if (controller.signal.aborted) return
          controller.abort(signal.aborted ? signal.reason : undefined)
          goOn?.()
          void start(out)
        }
        signal.addEventListener('abort', abort)
      },
      pull(out) {
        const beat = () => {
          // Nobody reads at the moment: the next who does starts it anew.
          if (!answerPull) stopBeats()
          else if (out.desiredSize === 0) out.enqueue(encoder.encode(ping))
        }
        // One for the whole answer, as one for each event would cost as much as the event.
        timer ??= startBeats(beat, heartbeatMs)
        return new Promise<void>((resolve) => {
          answerPull = resolve
          goOn?.()
          void start(out)
        })
      },
      cancel() {
        isCancelled = true
        stopBeats()
        abort()
      },
    },
    { highWaterMark: 0 },
  )
}
