/** What `test/setup.ts` and {@link expectWarning} share; global, so that `vi.resetModules` cannot part them. */
export interface WarningLog {
  /** Patterns that the running test allows and must see. */
  expected: { pattern: RegExp; seen: boolean }[]
  /** What was logged and matched no pattern. */
  unexpected: string[]
}

const key = Symbol.for('vue-llm.test.warnings')
const holder: typeof globalThis & { [key]?: WarningLog } = globalThis

/** The log of the running test. */
export const warnings: WarningLog = (holder[key] ??= { expected: [], unexpected: [] })

/**
 * Allows one kind of `console.warn` or `console.error` in the running test, which fails where it
 * never comes. Anything else that is warned or logged as an error fails the test.
 */
export function expectWarning(pattern: RegExp): void {
  const earlier = warnings.unexpected.filter((text) => pattern.test(text))
  warnings.unexpected = warnings.unexpected.filter((text) => !earlier.includes(text))
  warnings.expected.push({ pattern, seen: earlier.length > 0 })
}

/** Files one logged text as expected or not. */
export function recordWarning(text: string): void {
  const matching = warnings.expected.filter(({ pattern }) => pattern.test(text))
  for (const one of matching) one.seen = true
  if (matching.length === 0) warnings.unexpected.push(text)
}

/** Empties the log and throws what was wrong with it. */
export function settleWarnings(): void {
  const unexpected = warnings.unexpected.splice(0)
  const missing = warnings.expected.splice(0).filter(({ seen }) => !seen)
  if (unexpected.length > 0) {
    throw new Error(
      `Unexpected console output (allow it with expectWarning):\n${unexpected.join('\n')}`,
    )
  }
  if (missing.length > 0) {
    const patterns = missing.map(({ pattern }) => String(pattern)).join(', ')
    throw new Error(`Expected a console warning that never came: ${patterns}`)
  }
}
