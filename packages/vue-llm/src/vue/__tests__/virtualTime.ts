/** Timers that run when they are told to, in the place of the global ones. */
export interface VirtualTime {
  readonly now: number
  /** Calls back after so many milliseconds. */
  after(ms: number, run: () => void): void
  /** Runs until no timer is left, each moment's timers in one tick. */
  drain(): Promise<void>
  restore(): void
}

const names = [
  'setTimeout',
  'clearTimeout',
  'requestAnimationFrame',
  'cancelAnimationFrame',
  'MessageChannel',
  'Date',
] as const

/**
 * Puts virtual timers in place.
 *
 * @param nextTask resolves when all microtasks are done
 * @param frameMs milliseconds between frames; `undefined`: there are none
 */
export function installVirtualTime(
  nextTask: () => Promise<void>,
  frameMs: number | undefined,
): VirtualTime {
  const timers = new Map<number, { at: number; run: () => void }>()
  let now = 0
  let count = 0
  const add = (run: () => void, ms = 0): number => {
    timers.set(++count, { at: now + ms, run })
    return count
  }
  const remove = (id: number): unknown => timers.delete(id)
  const target = globalThis as unknown as Record<string, unknown>
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name))
  const fakes = {
    setTimeout: add,
    clearTimeout: remove,
    requestAnimationFrame:
      frameMs === undefined
        ? undefined
        : (run: (time: number) => void) => (frameMs < 0 ? 0 : add(() => run(now), frameMs)),
    cancelAnimationFrame: remove,
    MessageChannel: class {
      #read = () => {}
      port1 = {
        addEventListener: (_: string, read: () => void) => (this.#read = read),
        start() {},
        close() {},
      }
      port2 = { postMessage: () => add(() => this.#read()) }
    },
    Date: { now: () => now },
  }
  for (const name of names) target[name] = fakes[name]
  return {
    get now() {
      return now
    },
    after: (ms, run) => void add(run, ms),
    async drain() {
      for (;;) {
        await nextTask()
        if (!timers.size) return
        now = Math.min(...[...timers.values()].map(({ at }) => at))
        const due = [...timers].filter(([, { at }]) => at <= now)
        for (const [id, { run }] of due) if (timers.delete(id)) run()
      }
    },
    restore() {
      names.forEach((name, index) => {
        const descriptor = before[index]
        if (descriptor) Object.defineProperty(globalThis, name, descriptor)
        else delete target[name]
      })
    },
  }
}
