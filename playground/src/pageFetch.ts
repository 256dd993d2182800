import { inspectFetch, type Fetch } from './wire/inspectFetch'
import { wireLog } from './wire/wireLog'

/** The page was built to stand alone: what its server would answer is answered in the page. */
export const isAlone = import.meta.env.PROD

const send: Fetch = isAlone
  ? async (url, init) => {
      const { answerInPage } = await import('./inPage/answerInPage')
      const request = new Request(new URL(url, location.href), init)
      return (await answerInPage(request)) ?? fetch(url, init)
    }
  : (url, init) => fetch(url, init)

/** What every request of the page goes through. */
export const pageFetch: Fetch = inspectFetch(wireLog, send)
