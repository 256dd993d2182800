import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright'
import { launch } from './browserPage'
import type { Setup } from './page/main'
import type { HiddenReply } from './page/readHidden'

interface Answered {
  id: number
  error?: { message: string }
  result?: {
    exceptionDetails?: { exception?: { description?: string } }
    result?: { value?: unknown }
  }
}

/** A tab of the browser's own: every page of Playwright's pretends to be in front. */
async function openTab(browser: Browser, url: string) {
  const session = await browser.newBrowserCDPSession()
  const { targetId } = await session.send('Target.createTarget', { url })
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false })
  const waiting = new Map<number, (answer: Answered) => void>()
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as Answered
    waiting.get(answer.id)?.(answer)
  })
  let id = 0
  return {
    /** The value of an expression, once it has one. */
    async evaluate(expression: string): Promise<unknown> {
      const params = { expression, awaitPromise: true, returnByValue: true }
      const message = JSON.stringify({ id: ++id, method: 'Runtime.evaluate', params })
      const answered = new Promise<Answered>((resolve) => waiting.set(id, resolve))
      await session.send('Target.sendMessageToTarget', { sessionId, message })
      const { error, result } = await answered
      const thrown = error?.message ?? result?.exceptionDetails?.exception?.description
      if (thrown) throw new Error(`${expression}: ${thrown}`)
      return result?.result?.value
    },
    show: () => session.send('Target.activateTarget', { targetId }),
    cover: () => session.send('Target.createTarget', { url: 'about:blank' }),
  }
}

/** Hides a page behind another tab, has it read an answer, and comes back; throws unless all is there both times. */
export async function measureHidden(url: string, setup: Setup): Promise<HiddenReply> {
  // As they are for people.
  const browser = await launch([
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-background-timer-throttling',
  ])
  try {
    const tab = await openTab(browser, url)
    while (!(await tab.evaluate(`'bench' in globalThis`))) await sleep(50)
    await tab.evaluate(`bench.open(${JSON.stringify(setup)})`)
    await tab.cover()
    while ((await tab.evaluate('document.visibilityState')) !== 'hidden') await sleep(50)
    const reply = (await tab.evaluate('bench.sendHidden()')) as HiddenReply
    await tab.evaluate('bench.check()')
    await tab.show()
    while ((await tab.evaluate('document.visibilityState')) !== 'visible') await sleep(50)
    await tab.evaluate('bench.check()')
    return reply
  } finally {
    await browser.close()
  }
}
