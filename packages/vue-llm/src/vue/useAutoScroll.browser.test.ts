import { describe, expect, it, vi } from 'vitest'
import { createApp, h, nextTick, reactive, shallowRef, type VNodeChild } from 'vue'
import { useAutoScroll, type AutoScrollOptions, type UseAutoScrollReturn } from './useAutoScroll'

const lineHeight = 20
const frames = async (count = 3) => {
  for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame)
}
const line = (text: unknown) => h('p', { style: `margin: 0; height: ${lineHeight}px` }, `${text}`)

/** A scroll container of 200 pixels with that many lines. */
async function mount(lines: number, options: AutoScrollOptions = {}) {
  const state = reactive({ lines, height: 200, extra: false })
  const scroller = shallowRef<HTMLElement | null>(null)
  let scroll: UseAutoScrollReturn | undefined
  const root = document.createElement('div')
  document.body.append(root)
  const app = createApp({
    setup() {
      scroll = useAutoScroll(scroller, options)
      return (): VNodeChild =>
        h('div', { ref: scroller, style: `height: ${state.height}px; overflow-y: auto` }, [
          h(
            'div',
            Array.from({ length: state.lines }, (_, index) => line(index)),
          ),
          state.extra && line('extra'),
        ])
    },
  })
  app.mount(root)
  await frames()
  const element = root.firstElementChild as HTMLElement
  const below = () => element.scrollHeight - element.scrollTop - element.clientHeight
  const add = async (count = 1) => {
    state.lines += count
    await nextTick()
    await frames()
  }
  const scrollBy = async (top: number) => {
    element.scrollBy({ top, behavior: 'instant' })
    await frames()
  }
  const end = () => {
    app.unmount()
    root.remove()
  }
  if (!scroll) throw new Error('it is set up')
  return { state, scroll, element, below, add, scrollBy, end }
}

describe('useAutoScroll in Chromium', () => {
  it('begins at the end and stays there while the content grows', async () => {
    const { scroll, below, add, end } = await mount(40)
    expect(below()).toBeLessThanOrEqual(1)
    for (let i = 0; i < 5; i++) {
      await add(3)
      expect(below()).toBeLessThanOrEqual(1)
    }
    expect([scroll.isAtBottom.value, scroll.hasNewBelow.value]).toEqual([true, false])
    end()
  })

  it.each([5, 100])(
    'leaves a reader who has scrolled up by %i px, and says what is below',
    async (up) => {
      const { scroll, element, add, scrollBy, end } = await mount(40)
      await scrollBy(-up)
      expect([scroll.isAtBottom.value, scroll.hasNewBelow.value]).toEqual([false, false])
      const top = element.scrollTop
      await add(4)
      expect(element.scrollTop).toBe(top)
      expect([scroll.isAtBottom.value, scroll.hasNewBelow.value]).toEqual([false, true])
      await scrollBy(-20)
      await scrollBy(10)
      expect([scroll.isAtBottom.value, scroll.hasNewBelow.value]).toEqual([false, true])
      end()
    },
  )

  it('follows again when the reader comes near the end', async () => {
    const { scroll, below, add, scrollBy, end } = await mount(40)
    await scrollBy(-300)
    await scrollBy(260)
    expect([scroll.isAtBottom.value, scroll.hasNewBelow.value]).toEqual([true, false])
    await add(10)
    expect(below()).toBeLessThanOrEqual(1)
    end()
  })

  it('goes to the end when it is told to', async () => {
    const { scroll, below, add, scrollBy, end } = await mount(40)
    await scrollBy(-300)
    await add()
    scroll.scrollToBottom('instant')
    expect([scroll.isAtBottom.value, scroll.hasNewBelow.value]).toEqual([true, false])
    expect(below()).toBeLessThanOrEqual(1)
    await scrollBy(-300)
    scroll.scrollToBottom()
    await vi.waitFor(() => expect(below()).toBeLessThanOrEqual(1), 3000)
    await frames()
    expect(scroll.isAtBottom.value).toBe(true)
    end()
  })

  it('does not move smoothly for who has asked for less motion', async () => {
    const { scroll, below, scrollBy, end } = await mount(400)
    const query = vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as never)
    await scrollBy(-3000)
    scroll.scrollToBottom()
    expect(below()).toBeLessThanOrEqual(1)
    query.mockRestore()
    end()
  })

  it('is not fooled by content that shrinks or a container that grows or shrinks', async () => {
    const { scroll, state, below, add, end } = await mount(40)
    await add(-15)
    expect(scroll.isAtBottom.value).toBe(true)
    for (const height of [320, 150]) {
      state.height = height
      await nextTick()
      await frames()
      expect(scroll.isAtBottom.value).toBe(true)
      expect(below()).toBeLessThanOrEqual(1)
    }
    end()
  })

  it.each([
    ['a container that grows', { height: 2000 }],
    ['content that shrinks', { lines: 3 }],
  ])('is at the end where all is in view, by %s', async (_, change) => {
    const { scroll, state, add, scrollBy, end } = await mount(40)
    await scrollBy(-5000)
    await add()
    expect([scroll.isAtBottom.value, scroll.hasNewBelow.value]).toEqual([false, true])
    Object.assign(state, change)
    await nextTick()
    await frames()
    expect([scroll.isAtBottom.value, scroll.hasNewBelow.value]).toEqual([true, false])
    end()
  })

  it('sees a child that comes later', async () => {
    const { state, below, end } = await mount(40)
    state.extra = true
    await nextTick()
    await frames()
    expect(below()).toBeLessThanOrEqual(1)
    end()
  })

  it('does nothing while it is not enabled', async () => {
    const options = reactive({ on: false })
    const { element, below, add, end } = await mount(40, { enabled: () => options.on })
    expect(element.scrollTop).toBe(0)
    options.on = true
    await add()
    expect(below()).toBeLessThanOrEqual(1)
    end()
  })

  it('works once a frame at most, however often the content grows', async () => {
    const { element, state, end } = await mount(40)
    let writes = 0
    const { set, get } = Object.getOwnPropertyDescriptor(Element.prototype, 'scrollTop') ?? {}
    Object.defineProperty(element, 'scrollTop', {
      get: () => get?.call(element) as number,
      set(value: number) {
        writes++
        set?.call(element, value)
      },
    })
    for (let i = 0; i < 200; i++) {
      state.lines++
      await nextTick()
    }
    await frames(2)
    expect(writes).toBeGreaterThan(0)
    expect(writes).toBeLessThanOrEqual(4)
    end()
  })

  it('scrolls the page where that is the container', async () => {
    document.body.style.height = '5000px'
    const app = createApp({
      setup: () => {
        const { isAtBottom, scrollToBottom } = useAutoScroll(() => document.documentElement)
        return () =>
          h('button', { onClick: () => scrollToBottom('instant') }, `${isAtBottom.value}`)
      },
    })
    const root = document.createElement('div')
    document.body.append(root)
    app.mount(root)
    await frames()
    expect(scrollY).toBeGreaterThan(1000)
    window.scrollBy({ top: -500, behavior: 'instant' })
    await frames()
    expect(root.textContent).toBe('false')
    root.querySelector('button')?.click()
    await frames()
    expect(root.textContent).toBe('true')
    app.unmount()
    root.remove()
    document.body.style.height = ''
  })

  it('lets go of a container that goes away', async () => {
    const stop = vi.spyOn(ResizeObserver.prototype, 'disconnect')
    const { end, scroll } = await mount(40)
    stop.mockClear()
    end()
    expect(stop).toHaveBeenCalledTimes(1)
    scroll.scrollToBottom()
    expect(scroll.isAtBottom.value).toBe(true)
    stop.mockRestore()
  })
})
