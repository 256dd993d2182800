import { createApp, nextTick, type App } from 'vue'
import { wholeOf, type Answer } from '../wire'
import BenchApp from './BenchApp.vue'
import { contenders, type BenchChat, type Contender } from './contenders'
import { counters, resetCounters } from './counters'
import { measureLatency, type Latency } from './latency'
import { rowsOf, rowText, toHtml, toText, type Look } from './looks'
import { readHidden, type HiddenReply } from './readHidden'
import { watchRows, type RowProblems } from './watchRows'

/** What is opened in the page. */
export interface Setup {
  contender: Contender
  answer: Answer
  /** Messages that are there before. */
  earlier?: number
  look?: Look
}

/** What can be asked of the page; for the driver. */
export interface Bench {
  open(setup: Setup): Promise<void>
  /** Unmounts the chat. */
  close(): void
  /** Sends a message and waits until all of its answer is drawn; gives the milliseconds until it was whole. */
  send(): Promise<number>
  /** Throws unless the last answer is whole, in the state and on the page; gives what Vue updated meanwhile. */
  check(): typeof counters
  clear(): Promise<void>
  /** As `send`, and looks at the rows after each write. */
  sendWatched(): Promise<RowProblems>
  /** As `send`, and counts what a hidden page does. */
  sendHidden(): Promise<HiddenReply>
  latency(setup: Setup): Promise<Latency>
}

const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let app: App | undefined
let chat: BenchChat | undefined
let current: Setup | undefined

function mount(setup: Setup, url: string, fetch: typeof globalThis.fetch): BenchChat {
  const earlier = Array.from({ length: setup.earlier ?? 0 }, (_, index) => ({
    id: `e${index}`,
    role: index % 2 ? ('assistant' as const) : ('user' as const),
    text: `earlier message ${index}, ${'which has some words, '.repeat(8)}`,
  }))
  app?.unmount()
  const open = () => contenders[setup.contender](url, fetch, earlier)
  app = createApp(BenchApp, { open, look: setup.look ?? 'plain' })
  current = setup
  chat = (app.mount('#app') as unknown as { chat: BenchChat }).chat
  return chat
}

const opened = () => {
  if (!chat || !current) throw new Error('open a chat first')
  return { chat, setup: current }
}

const lastElement = () => document.querySelector('main')?.lastElementChild

const bench: Bench = {
  async open(setup) {
    const query = new URLSearchParams({ answer: JSON.stringify(setup.answer) })
    mount(setup, `/answer?${query}`, (...given) => fetch(...given))
    await frame()
    await frame()
  },
  close() {
    app?.unmount()
    app = undefined
    chat = undefined
    current = undefined
  },
  async send() {
    const { chat: here } = opened()
    resetCounters(here.messages.value.map(({ id }) => id))
    const before = performance.now()
    await here.send()
    const ms = performance.now() - before
    await nextTick()
    // No frame comes in a hidden tab.
    await Promise.race([frame(), sleep(200)])
    await sleep(50)
    return ms
  },
  check() {
    const { chat: here, setup } = opened()
    const part = here.messages.value.at(-1)?.parts.at(-1)
    const whole = wholeOf(setup.answer)
    const held = part?.type === 'text' ? part.text : JSON.stringify(part?.args)
    if (!part || held !== whole) throw new Error(`not all was read: ${held?.length} characters`)
    const shown = lastElement()?.textContent ?? ''
    const due = {
      plain: () => toText(part),
      markdown: () => toHtml(whole).replace(/<.*?>/g, ''),
      rows: () => rowsOf(part, false).map(rowText).join(''),
    }[setup.look ?? 'plain']()
    if (shown.trim() !== due.trim()) {
      throw new Error(
        `not all is drawn (${setup.look ?? 'plain'}): ${shown.length} of ${due.length}`,
      )
    }
    return { ...counters }
  },
  async clear() {
    opened().chat.clear()
    await frame()
  },
  async sendWatched() {
    const { chat: here } = opened()
    const watcher = watchRows(here)
    await bench.send()
    return watcher.end()
  },
  sendHidden: () => readHidden(bench.send),
  latency: (setup) => measureLatency((fetch) => mount(setup, '/answer', fetch), setup.answer),
}

declare global {
  var bench: Bench
}
globalThis.bench = bench
