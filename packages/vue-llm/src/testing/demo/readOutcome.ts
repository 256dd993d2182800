import { isRecord } from './readRequest'

/** How a call ended, told by the text that a model reads of it. */
export type Outcome = { kind: 'value'; value: unknown } | Trouble

/** A call that gave no value. */
export interface Trouble {
  kind: 'error' | 'declined' | 'unanswered' | 'stopped' | 'limit'
  text: string
}

/** Reads a tool message: a value, or what went wrong. */
export function readOutcome(result: string): Outcome {
  const [, error] = /^Error:\s*(.*)$/s.exec(result) ?? []
  if (error === undefined && !/^no answer was given/i.test(result)) return readValue(result)
  const text = error ?? result
  if (/no answer|unanswered/i.test(text)) return { kind: 'unanswered', text }
  if (/declin|denied|reject|refus|not (?:allowed|approved)|отклон/iu.test(text)) {
    return { kind: 'declined', text }
  }
  if (/limit reached/i.test(text)) return { kind: 'limit', text }
  return { kind: /stopped|interrupted|aborted/i.test(text) ? 'stopped' : 'error', text }
}

function readValue(result: string): Outcome {
  // An answer without a body, as HTTP tools have it: it went well.
  if (/^HTTP 2\d\d$/.test(result)) return { kind: 'value', value: true }
  let value: unknown = result
  try {
    value = JSON.parse(result)
  } catch {
    // Plain text is a value, too.
  }
  if (!isRecord(value)) return { kind: 'value', value }
  const { approved, declined, error } = value
  if (approved === false || declined === true) return { kind: 'declined', text: '' }
  return typeof error === 'string' ? { kind: 'error', text: error } : { kind: 'value', value }
}
