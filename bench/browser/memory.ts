import type { Browser } from 'playwright'
import { withPage } from './browserPage'
import type { Contender } from './page/contenders'
import { wholeOf, type Answer } from './wire'

/** What is done again and again. */
export type Habit = 'turns' | 'cleared' | 'closed'

/** Bytes of the heap that stay after each turn; the first few are left out. */
export function measureGrowth(
  browser: Browser,
  url: string,
  contender: Contender,
  answer: Answer,
  habit: Habit,
  turns: number,
): Promise<number> {
  return withPage(browser, url, async ({ page, heap, open }) => {
    await open({ contender, answer })
    const repeat = async (times: number) => {
      for (let turn = 0; turn < times; turn++) {
        if (habit === 'closed') await open({ contender, answer })
        await page.evaluate(() => bench.send())
        await page.evaluate(() => bench.check())
        if (habit === 'cleared') await page.evaluate(() => bench.clear())
        if (habit === 'closed') await page.evaluate(() => bench.close())
      }
      return heap()
    }
    const before = await repeat(Math.ceil(turns / 5))
    return ((await repeat(turns)) - before) / turns
  })
}

/** Bytes of the text of an answer. */
export const textBytes = (answer: Answer): number => wholeOf(answer).length
