import type { Browser } from 'playwright'
import { withPage } from './browserPage'
import type { Cell } from './cells'
import type { Contender } from './page/contenders'

/** What one answer cost: the first of a page, and the next in the same chat. */
export interface Reply {
  first: number
  /** Without what is done once: code that is compiled, styles, fonts. */
  second: number
  updates: { list: number; growing: number; earlier: number }
}

/** The times of one contender in one cell, run by run. */
export type Replies = Partial<Record<Contender, Reply[]>>

async function measureReply(browser: Browser, url: string, cell: Cell, contender: Contender) {
  return withPage(browser, url, async ({ page, cpu, heap, open }): Promise<Reply> => {
    await open({ ...cell.setup, contender })
    const measure = async () => {
      await heap()
      const before = await cpu()
      await page.evaluate(() => bench.send())
      const time = (await cpu()) - before
      return { time, updates: await page.evaluate(() => bench.check()) }
    }
    const { time: first, updates } = await measure()
    // A paced answer takes its time; its code is warm long before its end.
    const { time: second } = cell.setup.answer.rate ? { time: NaN } : await measure()
    return { first, second, updates }
  })
}

/** Each contender in turn, run after run, so that the machine's moods hit all alike. */
export async function measureReplies(
  browser: Browser,
  url: string,
  cell: Cell,
  runs: number,
): Promise<Replies> {
  const replies: Replies = {}
  for (let run = 0; run < runs; run++) {
    for (const side of cell.sides) {
      const list = (replies[side] ??= [])
      list.push(await measureReply(browser, url, cell, side))
    }
  }
  return replies
}
