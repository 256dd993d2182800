import { watch } from 'vue'
import type { BenchChat } from './contenders'
import { rowText, type PartialRow } from './looks'

/** What was wrong with the rows that were drawn. */
export interface RowProblems {
  /** How often what was drawn was looked at. */
  looks: number
  /** Rows that were not what the arguments said at that time. */
  stale: number
  /** Rows that had shown more before, or were gone. */
  backwards: number
  /** Rows at the end, and how many of them are not what the whole arguments say. */
  rows: number
  wrong: number
}

/** Looks at the rows of the arguments after each time that Vue has drawn. */
export function watchRows(chat: BenchChat): { end(): RowProblems } {
  const problems: RowProblems = { looks: 0, stale: 0, backwards: 0, rows: 0, wrong: 0 }
  let before: string[] = []
  const part = () => chat.messages.value.at(-1)?.parts.at(-1)
  const rows = () => (part()?.args as { items?: PartialRow[] } | undefined)?.items ?? []
  const drawn = () =>
    Array.from(document.querySelectorAll('main > :last-child li'), (row) => row.textContent)
  const stop = watch(
    () => [part()?.args, part()?.version],
    () => {
      problems.looks++
      const now = drawn()
      const due = rows().map(rowText)
      problems.stale += Math.abs(now.length - due.length)
      problems.stale += due.filter((text, index) => now[index] !== text).length
      problems.backwards += before.filter((text, index) => !grewFrom(text, now[index])).length
      before = now
    },
    { flush: 'post' },
  )
  return {
    end() {
      stop()
      const now = drawn()
      const due = (JSON.parse(JSON.stringify(part()?.args)) as { items: PartialRow[] }).items
      problems.rows = now.length
      problems.wrong = due.filter((row, index) => rowText(row) !== now[index]).length
      return problems
    },
  }
}

/** Whether a text has nothing less than it had; white space stands between what comes. */
function grewFrom(before: string, now: string | undefined): boolean {
  return now !== undefined && now.trimEnd().startsWith(before.trimEnd())
}
