import { afterAll, afterEach } from 'vitest'
import { recordWarning, settleWarnings } from './expectWarning.ts'

function toText(value: unknown): string {
  if (value instanceof Error) return value.stack ?? String(value)
  if (typeof value === 'string') return value
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

for (const method of ['warn', 'error'] as const) {
  console[method] = (...values: unknown[]) => {
    recordWarning(`console.${method}: ${values.map(toText).join(' ')}`)
  }
}

afterEach(settleWarnings)
afterAll(settleWarnings)
