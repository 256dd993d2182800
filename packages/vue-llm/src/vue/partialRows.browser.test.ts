import { describe, expect, it } from 'vitest'
import { createApp, defineComponent, h, nextTick, watch, type PropType } from 'vue'
import type { Chunk, Provider } from '../core'
import { useChat } from './useChat'

interface Row {
  id?: number
  name?: string
  tags?: string[]
  at?: { x?: string; deep?: { y?: string }[] }
}

const rows: Row[] = Array.from({ length: 200 }, (_, id) => ({
  id,
  name: `row number ${id}`,
  tags: ['first', `${id}`],
  at: { x: 'a "quoted" word', deep: [{ y: 'one' }, { y: `two ${id}` }] },
}))

/** Plays the arguments of a call in pieces, with breaks as a network has them. */
const playing = (argsText: string, size: number): Provider => ({
  name: 'p',
  async *stream() {
    yield { type: 'tool-call-start', toolCallId: 'c', toolName: 'show' } satisfies Chunk
    for (let at = 0, count = 0; at < argsText.length; at += size) {
      const piece = argsText.slice(at, at + size)
      yield { type: 'tool-call-delta', toolCallId: 'c', argsText: piece } satisfies Chunk
      if (++count % 25 === 0) await new Promise((resolve) => setTimeout(resolve, 4))
    }
    yield { type: 'tool-call-end', toolCallId: 'c' } satisfies Chunk
  },
})

const show = (row: Row): string =>
  [row.id, row.name, row.tags?.join(), row.at?.x, row.at?.deep?.map(({ y }) => y).join()]
    .filter((one) => one !== undefined)
    .join(' ')

/** Draws each row with a component that has nothing else, and looks at all of them after each write. */
async function drawRows(provider: Provider, throttleMs?: number) {
  let renders = 0
  const RowView = defineComponent({
    props: { row: { type: Object as PropType<Row>, required: true } },
    setup: (props) => () => {
      renders++
      return h('li', show(props.row))
    },
  })
  const { messages, sendMessage } = useChat({
    provider,
    model: 'm',
    throttleMs,
    tools: [{ name: 'show' }],
  })
  const args = (): { rows?: Row[] } => {
    const part = messages.value[1]?.parts[0]
    return part?.type === 'tool-call' ? part.args : {}
  }
  const app = createApp(() => args().rows?.map((row, key) => h(RowView, { row, key })))
  const root = document.createElement('ul')
  app.mount(root)
  const problems: string[] = []
  let looks = 0
  let before: string[] = []
  const stop = watch(
    args,
    ({ rows: due = [] }) => {
      looks++
      const now = Array.from(root.children, (row) => row.textContent ?? '')
      if (now.join('\n') !== due.map(show).join('\n')) problems.push(`stale at look ${looks}`)
      for (const [index, text] of before.entries()) {
        if (!now[index]?.startsWith(text)) problems.push(`${text} became ${now[index]}`)
      }
      before = now
    },
    { flush: 'post' },
  )
  await sendMessage('go')
  await nextTick()
  stop()
  const shown = Array.from(root.children, (row) => row.textContent)
  app.unmount()
  return { problems, looks, renders, shown }
}

describe('rows that are drawn while their arguments come', { timeout: 60_000 }, () => {
  const text = JSON.stringify({ rows })

  it.each([
    ['one write a frame', 16, undefined],
    ['each delta by itself', 16, 0],
    ['large deltas', 700, 0],
  ])('are never stale, never go backwards and are whole at the end: %s', async (_, size, ms) => {
    const { problems, looks, renders, shown } = await drawRows(playing(text, size), ms)
    expect(problems).toEqual([])
    expect(shown).toEqual(rows.map(show))
    expect(looks).toBeGreaterThan(10)
    // A row renders when it begins, while it grows, and when it is closed; never for another.
    expect(renders).toBeLessThanOrEqual(2 * rows.length + looks)
  })
})
