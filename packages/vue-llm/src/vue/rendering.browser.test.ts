import { countRenders } from '#test/countRenders'
import { describe, expect, it } from 'vitest'
import { createOpenAIProvider } from '../providers'
import { useChat } from './useChat'

/** A `fetch` whose answer is that many events, each a network read of its own, with breaks as a network has them. */
function answerOf(count: number): typeof fetch {
  const encoder = new TextEncoder()
  return async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          if (sent % 50 === 0) await new Promise((resolve) => setTimeout(resolve))
          const delta = { choices: [{ index: 0, delta: { content: `${sent % 10}` } }] }
          const data = sent++ < count ? JSON.stringify(delta) : '[DONE]'
          controller.enqueue(encoder.encode(`data: ${data}\n\n`))
          if (data === '[DONE]') controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
  }
}

describe('rendering in Chromium', { timeout: 60_000 }, () => {
  it('touches no earlier message, the list twice, the growing part once per flush', async () => {
    const provider = createOpenAIProvider({ baseURL: '/v1', apiKey: 'key', fetch: answerOf(5000) })
    const counts = await countRenders(provider, 1000)
    expect(counts.earlier).toBe(0)
    expect(counts.list).toBeLessThanOrEqual(3)
    expect(counts.frames).toBeGreaterThan(3)
    expect(counts.writes).toBeLessThanOrEqual(counts.frames + 3)
    expect(counts.growing).toBeLessThanOrEqual(counts.writes)
    expect(counts.stale).toEqual([])
    expect(counts.shown).toBe(`done: ${'0123456789'.repeat(500)}`)
  })

  it('lets the page draw while a burst is read that takes longer than a frame', async () => {
    let frames = 0
    let isOver = false
    const count = () => {
      frames++
      if (!isOver) requestAnimationFrame(count)
    }
    const chat = useChat({
      provider: {
        name: 'burst',
        async *stream() {
          for (let i = 0; i < 100; i++) yield { type: 'text-delta', text: 'x' }
          yield { type: 'step-end', finishReason: 'stop' }
        },
      },
      onChunk() {
        for (const until = performance.now() + 4; performance.now() < until;);
      },
    })
    requestAnimationFrame(count)
    await chat.sendMessage('go')
    isOver = true
    // In one go, 400 ms would pass without a single one.
    expect(frames).toBeGreaterThan(3)
    expect(chat.messages.value[1]?.parts).toMatchObject([{ text: 'x'.repeat(100), state: 'done' }])
  })
})
