import { afterEach, describe, expect, it, vi } from 'vitest'
import { effectScope, nextTick, reactive, ref, type EffectScope } from 'vue'
import {
  createScriptedProvider,
  finish,
  hang,
  reasoning,
  text,
  toolCall,
  type Script,
} from '../testing'
import { useChat, type UseChatOptions } from './useChat'
import { useSpeech, type Speak, type UseSpeechOptions } from './useSpeech'

const scopes: EffectScope[] = []
afterEach(() => {
  for (const scope of scopes.splice(0)) scope.stop()
  vi.unstubAllGlobals()
})

/** A chat that is read aloud by a `speak` that keeps what it was given. */
function speechOf(
  script: Script,
  more: Partial<UseChatOptions> = {},
  options: UseSpeechOptions = {},
) {
  const said: string[] = []
  const speak: Speak = async (sentence) => void said.push(sentence)
  const scope = effectScope()
  scopes.push(scope)
  return scope.run(() => {
    const chat = useChat({ provider: createScriptedProvider(script), model: 'm', ...more })
    return { chat, said, scope, ...useSpeech(chat, { speak, lang: 'en', ...options }) }
  })!
}

/** A `speak` whose sentences end when the test says so. */
function slowSpeak() {
  const running: { sentence: string; signal: AbortSignal; end: () => void }[] = []
  const speak: Speak = (sentence, { signal }) =>
    new Promise<void>((resolve) => running.push({ sentence, signal, end: resolve }))
  return { running, speak, last: () => running.at(-1) }
}

const until = (holds: () => unknown) =>
  vi.waitFor(() => {
    if (!holds()) throw new Error(`it never came about: ${holds}`)
  })
const pause = (ms = 5) => new Promise<void>((resolve) => setTimeout(resolve, ms))

describe('what is read aloud', () => {
  it('sentences as they stream, in order, the last one at the end of the round', async () => {
    let goOn = () => {}
    const wait = () => new Promise<void>((resolve) => (goOn = resolve))
    const { chat, said } = speechOf([['One. Two', wait, '. Three', finish()]])
    const sent = chat.sendMessage('hi')
    await until(() => said.length)
    expect(said).toEqual(['One.'])
    goOn()
    await sent
    await pause()
    expect(said).toEqual(['One.', 'Two.', 'Three'])
  })

  it('one after the other, each when the one before was said', async () => {
    const { running, speak } = slowSpeak()
    const { chat, speaking } = speechOf(['One. Two.'], {}, { speak })
    await chat.sendMessage('hi')
    expect(running.map(({ sentence }) => sentence)).toEqual(['One.'])
    expect(speaking.value).toBe(true)
    running[0]?.end()
    await until(() => running.length === 2)
    expect(speaking.value).toBe(true)
    running[1]?.end()
    await until(() => !speaking.value)
  })

  it('never a thought, a tool call, a result or a block of code', async () => {
    const round = [
      reasoning('I think. Yes.'),
      'Let me look',
      toolCall('look', { query: 'Secret. Words.' }),
      finish('tool-calls'),
    ]
    const { chat, said } = speechOf([round, 'Here **it** is:\n```js\nlet a. B.\n```\nDone.'], {
      tools: [{ name: 'look', execute: () => 'A result. Of it.' }],
    })
    await chat.sendMessage('hi')
    await until(() => said.includes('Done.'))
    expect(said).toEqual(['Let me look', 'Here it is:', 'Done.'])
  })

  it.each([undefined, 0, 1])('the same with throttleMs: %s', async (throttleMs) => {
    const pieces = (
      'A first one. And **a second** one.\n```\nx. y.\n```\nEnd'.match(/.{1,4}/gs) ?? []
    ).map(text)
    const { chat, said } = speechOf([[...pieces, finish()]], { throttleMs })
    await chat.sendMessage('hi')
    await until(() => said.includes('End'))
    expect(said).toEqual(['A first one.', 'And a second one.', 'End'])
  })

  it('not what was there before, nor a stored chat that is shown', async () => {
    const stored = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Old. Text.' },
    ] as const
    const { chat, said } = speechOf(['New.'], { initialMessages: stored })
    await nextTick()
    chat.setMessages(stored)
    await pause()
    expect(said).toEqual([])
    await chat.sendMessage('more')
    await pause()
    expect(said).toEqual(['New.'])
  })

  it('of a round that is made anew, what is in the end', async () => {
    const { running, speak } = slowSpeak()
    const script: Script = [['Old one. Old two. ', 5, { type: 'step-reset' }, 'New one.', finish()]]
    const { chat } = speechOf(script, {}, { speak })
    await chat.sendMessage('hi')
    await until(() => running.length === 2)
    expect(running.map(({ sentence }) => sentence)).toEqual(['Old one.', 'New one.'])
    expect(running[0]?.signal.aborted).toBe(true)
  })

  it('of a chat whose refs are unwrapped as well', async () => {
    const said: string[] = []
    const chat = reactive(useChat({ provider: createScriptedProvider(['Yes. No.']), model: 'm' }))
    useSpeech(chat, { speak: async (sentence) => void said.push(sentence) })
    await chat.sendMessage('hi')
    await pause()
    expect(said).toEqual(['Yes.', 'No.'])
  })
})

describe('what silences', () => {
  const long: Script = [['One. Two. Three. F', hang], 'Next. One.']

  it('stop, at once and for the rest of the answer', async () => {
    let goOn = () => {}
    const wait = () => new Promise<void>((resolve) => (goOn = resolve))
    const { running, speak, last } = slowSpeak()
    const { chat, stop, speaking } = speechOf(
      [['One. Two. T', wait, 'hree. Four.', finish()], 'Next.'],
      {},
      { speak },
    )
    const sent = chat.sendMessage('hi')
    await until(() => running.length)
    stop()
    expect([last()?.signal.aborted, speaking.value]).toEqual([true, false])
    goOn()
    await sent
    await pause()
    expect(running).toHaveLength(1)
    await chat.sendMessage('more')
    expect(last()?.sentence).toBe('Next.')
  })

  it.each<[string, (its: ReturnType<typeof speechOf>) => unknown]>([
    ['a new message', ({ chat }) => (chat.stop(), chat.sendMessage('more'))],
    ['clear', ({ chat }) => chat.clear()],
    ['other messages', ({ chat }) => chat.setMessages([])],
    ['the stop of the chat', ({ chat }) => chat.stop()],
    ['unmount', ({ scope }) => scope.stop()],
    ['enabled = false', ({ enabled }) => (enabled.value = false)],
  ])('%s', async (_, act) => {
    const { running, speak } = slowSpeak()
    const its = speechOf(long, {}, { speak })
    void its.chat.sendMessage('hi')
    await until(() => running.length)
    void act(its)
    expect(running[0]?.signal.aborted).toBe(true)
    running[0]?.end()
    await pause()
    expect(running.map(({ sentence }) => sentence)).not.toContain('Two.')
    expect(running.map(({ sentence }) => sentence)).not.toContain('F')
  })

  it('enabled = false until it is true again, from the next sentence on', async () => {
    let goOn = () => {}
    const wait = () => new Promise<void>((resolve) => (goOn = resolve))
    const { chat, said, enabled } = speechOf([['One. Two. T', wait, 'hree.', finish()]])
    enabled.value = false
    const sent = chat.sendMessage('hi')
    await until(() => chat.messages.value[1]?.parts.length)
    enabled.value = true
    goOn()
    await sent
    await pause()
    expect(said).toEqual(['Three.'])
  })
})

describe('failures', () => {
  it('of speak are shown, the next sentence is tried, the chat is not touched', async () => {
    const said: string[] = []
    const speak: Speak = (sentence) => {
      if (sentence === 'One.') throw new Error('no voice')
      said.push(sentence)
    }
    const { chat, error, speaking } = speechOf(['One. Two.', 'Three.'], {}, { speak })
    await chat.sendMessage('hi')
    await until(() => !speaking.value)
    expect(error.value?.message).toBe('no voice')
    expect([chat.error.value, chat.status.value]).toEqual([undefined, 'ready'])
    await chat.sendMessage('more')
    expect(error.value).toBeUndefined()
    await until(() => said.length === 2)
    expect(said).toEqual(['Two.', 'Three.'])
  })

  it('a browser without speech synthesis is one', async () => {
    const scope = effectScope()
    scopes.push(scope)
    const provider = createScriptedProvider(['One.'])
    const chat = scope.run(() => useChat({ provider, model: 'm' }))!
    const { error } = scope.run(() => useSpeech(chat))!
    await chat.sendMessage('hi')
    await until(() => error.value)
    expect(error.value?.message).toContain('SpeechSynthesisUtterance is not defined')
  })
})

describe("the browser's speech synthesis", () => {
  class Utterance extends EventTarget {
    lang?: string
    rate?: number
    readonly said: string
    constructor(said: string) {
      super()
      this.said = said
    }
  }

  function stubSpeech() {
    const spoken: Utterance[] = []
    const cancel = vi.fn<() => void>()
    vi.stubGlobal('SpeechSynthesisUtterance', Utterance)
    vi.stubGlobal('speechSynthesis', { speak: (one: Utterance) => spoken.push(one), cancel })
    return { spoken, cancel }
  }

  it('gets each sentence with language and rate, and is cancelled at a stop', async () => {
    const { spoken, cancel } = stubSpeech()
    const rate = ref(1)
    const chat = useChat({ provider: createScriptedProvider(['One. Two. Three.']), model: 'm' })
    const { stop, error } = useSpeech(chat, { lang: () => 'en-GB', rate })
    await chat.sendMessage('hi')
    expect(spoken).toMatchObject([{ said: 'One.', lang: 'en-GB', rate: 1 }])
    expect(spoken[0]).not.toHaveProperty('voice')
    rate.value = 2
    spoken[0]?.dispatchEvent(new Event('end'))
    await until(() => spoken.length === 2)
    expect(spoken[1]).toMatchObject({ said: 'Two.', rate: 2 })
    spoken[1]?.dispatchEvent(Object.assign(new Event('error'), { error: 'not-allowed' }))
    await until(() => spoken.length === 3)
    expect(error.value?.message).toBe('speech failed: not-allowed')
    stop()
    expect(cancel).toHaveBeenCalledTimes(1)
  })
})
