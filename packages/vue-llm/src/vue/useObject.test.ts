import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import {
  computed,
  effectScope,
  isReactive,
  nextTick,
  ref,
  shallowRef,
  watch,
  watchEffect,
} from 'vue'
import { z } from 'zod'
import { isLLMError, type Chunk, type Provider, type ToolValidator } from '../core'
import {
  createScriptedProvider,
  finish,
  hang,
  reasoning,
  streamedToolCall,
  text,
  toolCall,
  type Script,
} from '../testing'
import { useObject, type UseObjectOptions } from './useObject'

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    servings: { type: 'number' },
    steps: { type: 'array', items: { type: 'string' } },
  },
  required: ['title', 'servings'],
} as const
const soup = { title: 'Soup', servings: 2, steps: ['Boil {water}', 'Say "done"', 'a \\ b'] }
const json = JSON.stringify(soup)

type Options = Omit<UseObjectOptions<typeof schema>, 'provider' | 'schema'>

/** An object asked of a provider that plays the rounds given; `native` knows how to ask for JSON. */
function objectOf(script: Script, options: Options = {}, native = false) {
  const scripted = createScriptedProvider(script)
  const provider: Provider = { ...scripted, ...(native && { structuredOutput: true }) }
  return { requests: scripted.requests, ...useObject({ provider, model: 'm', schema, ...options }) }
}

/** A text in pieces of that many characters. */
const cut = (whole: string, size = 3) =>
  (whole.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []).map(text)
const until = (holds: () => unknown) =>
  vi.waitFor(() => {
    if (!holds()) throw new Error(`it never came about: ${holds}`)
  })

describe('how the object is asked for', () => {
  const asCall = {
    tools: [{ name: 'answer', description: 'Takes your answer.', parameters: schema }],
    toolChoice: { name: 'answer' },
  }
  const asForm = {
    tools: [],
    settings: { responseFormat: { type: 'json', schema, name: 'answer' } },
  }

  it.each([
    ['auto', 'a provider that has no form for JSON', false, asCall],
    ['auto', 'one that has', true, asForm],
    [undefined, 'one that has', true, asForm],
    ['json', 'one that has not', false, asForm],
    ['tool', 'one that has', true, asCall],
  ] as const)('%s, of %s', async (mode, _, native, wanted) => {
    const { requests, submit } = objectOf([json], { mode: () => mode }, native)
    await submit('soup')
    expect(requests[0]).toMatchObject(wanted)
    expect(requests[0]).not.toHaveProperty(wanted === asCall ? 'settings' : 'toolChoice')
  })

  it('with a name and a description, and beside the settings that there are', async () => {
    const own = { name: 'recipe', description: 'A recipe', settings: ref({ temperature: 0 }) }
    const call = objectOf([json], own)
    await call.submit('soup')
    expect(call.requests[0]?.tools).toEqual([
      { name: 'recipe', description: 'A recipe', parameters: schema },
    ])
    expect(call.requests[0]?.settings).toEqual({ temperature: 0 })
    const form = objectOf([json], own, true)
    await form.submit('soup')
    expect(form.requests[0]?.settings).toEqual({
      temperature: 0,
      responseFormat: { type: 'json', schema, name: 'recipe' },
    })
  })

  it('with a prompt, or messages', async () => {
    const { requests, submit } = objectOf([json, json], { system: 'cook' })
    await submit('soup')
    await submit([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
      { role: 'user', content: 'soup' },
    ])
    expect(requests.map(({ system }) => system)).toEqual(['cook', 'cook'])
    expect(requests.map(({ messages }) => messages.map(({ role }) => role))).toEqual([
      ['user'],
      ['user', 'assistant', 'user'],
    ])
  })

  it('options are read anew at each request', async () => {
    const model = ref('a')
    const first = createScriptedProvider([json])
    const second = createScriptedProvider([json])
    const provider = shallowRef<Provider>(first)
    const { submit } = useObject({ provider, schema, model: computed(() => model.value) })
    await submit('1')
    model.value = 'b'
    provider.value = second
    await submit('2')
    expect(first.requests.map((request) => request.model)).toEqual(['a'])
    expect(second.requests.map((request) => request.model)).toEqual(['b'])
  })

  it('without a provider the error names what is missing', async () => {
    const { submit, error } = useObject({ schema, provider: undefined as unknown as Provider })
    expect(await submit('soup')).toBeUndefined()
    expect(error.value).toMatchObject({
      code: 'misuse',
      message: expect.stringContaining('needs a provider'),
    })
  })

  it('a schema of no object is an error that says what to do', async () => {
    const provider = createScriptedProvider([json])
    const { submit, error, status } = useObject({ provider, schema: z.array(z.string()) })
    expect(await submit('x')).toBeUndefined()
    expect(isLLMError(error.value, 'misuse')).toBe(true)
    expect(error.value?.message).toContain(`not type "array": put it into a field of one`)
    expect([status.value, provider.requests.length]).toEqual(['error', 0])
  })
})

describe('how the model may give it', () => {
  const fence = `Here you are, {chef}:\n\`\`\`json\n${JSON.stringify(soup, null, 2)}\n\`\`\`\nEnjoy {it}!`
  const answers: Record<string, Script> = {
    'as JSON': [json],
    'as a call': [[toolCall('answer', soup), finish('tool-calls')]],
    'as a call with text as its arguments': [[toolCall('answer', json), finish('tool-calls')]],
    'as a call that streams': [[...streamedToolCall('answer', soup), finish('tool-calls')]],
    'as a call after words': [
      ['Sure! {"a": ', ...streamedToolCall('answer', soup), 'Done {"x":1}', finish('tool-calls')],
    ],
    'as JSON after thinking': [[reasoning('{"no": 1}'), ...cut(json), finish()]],
    'in a fence, among words': [[...cut(fence), finish()]],
    'after an example': [[...cut(`Such as {"a": {"}": 1}} or {}: ${json}`), finish()]],
    'after its shape in words': [[...cut(`{"title": text, "servings": n} is ${json}`), finish()]],
    'after a draft of it': [[...cut(`{"title": "So…"}, no:\n${fence}`), finish()]],
    'before an example': [[...cut(`${json} unlike {"title": "", "servings": 0}`), finish()]],
    'without an end of the round': [[...cut(json)]],
    'twice: the last one counts': [
      [toolCall('answer', { title: 'no' }), toolCall('answer', soup), finish('tool-calls')],
    ],
    'in a second round of the same answer': [
      ['{"title": "draft"', finish('tool-calls'), ...cut(json), finish()],
    ],
    'again after a reset': [
      [...cut('{"title": "no'), { type: 'step-reset' }, ...cut(json), finish()],
    ],
    'after a call that was cancelled': [
      [
        { type: 'tool-call-start', toolCallId: 'c', toolName: 'answer' },
        { type: 'tool-call-delta', toolCallId: 'c', argsText: '{"title":' },
        { type: 'tool-call-cancel', toolCallId: 'c' },
        json,
        finish(),
      ],
    ],
  }

  for (const native of [false, true]) {
    it.each(Object.keys(answers))(
      `%s, where asked for ${native ? 'JSON' : 'a call'}`,
      async (how) => {
        const { object, result, submit, status, error } = objectOf(answers[how] ?? [], {}, native)
        expect(await submit('soup')).toEqual(soup)
        expect(error.value).toBeUndefined()
        expect(object.value).toEqual(soup)
        expect(result.value).toEqual(soup)
        expect(status.value).toBe('ready')
      },
    )
  }

  it('grows as it comes, each value frozen and never changed later', async () => {
    const script = [[...cut(json), finish()]]
    const { object, result, submit } = objectOf(script, { throttleMs: 0 }, true)
    const seen: { value: unknown; copy: string }[] = []
    watch(
      object,
      (value) => {
        seen.push({ value, copy: JSON.stringify(value) })
        expect(result.value).toBeUndefined()
      },
      { flush: 'sync' },
    )
    const done = vi.fn<(result: unknown) => void>()
    watch(result, done, { flush: 'sync' })
    await submit('soup')
    const copies = seen.map(({ copy }) => copy)
    expect(copies).toContain('{"title":"So"}')
    expect(copies.some((copy) => copy.includes('["Boil') && !copy.includes('water'))).toBe(true)
    for (const { value, copy } of seen) {
      expect(Object.isFrozen(value)).toBe(true)
      expect(JSON.stringify(value)).toBe(copy)
    }
    expect(done).toHaveBeenCalledTimes(1)
  })

  it('updates at most once a frame', async () => {
    const many = { title: 'x'.repeat(6000), servings: 1 }
    const provider: Provider = {
      name: 'slow',
      structuredOutput: true,
      async *stream(): AsyncGenerator<Chunk> {
        let count = 0
        for (const chunk of cut(JSON.stringify(many))) {
          yield chunk
          if (++count % 50 === 0) await new Promise((resolve) => setTimeout(resolve))
        }
        yield finish()
      },
    }
    const { requestAnimationFrame: realFrame } = globalThis
    let frames = 0
    globalThis.requestAnimationFrame = (callback) => (frames++, realFrame(callback))
    try {
      const { object, submit } = useObject({ provider, schema })
      let updates = 0
      watch(object, () => updates++, { flush: 'sync' })
      expect(await submit('x')).toEqual(many)
      expect(frames).toBeGreaterThan(3)
      // The start, the first delta and the end come at once.
      expect(updates).toBeLessThanOrEqual(frames + 3)
    } finally {
      globalThis.requestAnimationFrame = realFrame
    }
  })
})

describe('the check at the end', () => {
  const shape = z.object({ title: z.string(), servings: z.number().transform((n) => n * 10) })
  const shapes = {
    zod: shape,
    valibot: v.object({
      title: v.string(),
      servings: v.pipe(
        v.number(),
        v.transform((n) => n * 10),
      ),
    }),
  }

  it('gives what zod makes of it, while the object stays as written', async () => {
    const provider = createScriptedProvider([json])
    const { object, result, submit } = useObject({ provider, schema: shape })
    await submit('soup')
    expect(object.value).toEqual(soup)
    expect(result.value).toEqual({ title: 'Soup', servings: 20 })
  })

  it('gives an instance of a class as it is', async () => {
    class Recipe {
      readonly #title: string
      constructor(title: string) {
        this.#title = title
      }
      name = () => this.#title
    }
    const own = z.object({ title: z.string() }).transform(({ title }) => new Recipe(title))
    const { result, submit } = useObject({ provider: createScriptedProvider([json]), schema: own })
    expect((await submit('soup'))?.name()).toBe('Soup')
    expect(result.value).toBeInstanceOf(Recipe)
    expect(isReactive(result.value)).toBe(false)
  })

  it.each(Object.entries(shapes))('says what does not fit %s', async (_, its) => {
    const own = JSON.stringify({ title: 'Soup', servings: 'two' })
    const provider = createScriptedProvider([own])
    const jsonSchema = { ...schema }
    const standard = Object.assign(its, { toJSONSchema: () => jsonSchema })
    const onError = vi.fn<(error: unknown) => void>()
    const { object, result, submit, status, error } = useObject({
      provider,
      schema: standard,
      onError,
    })
    expect(await submit('soup')).toBeUndefined()
    expect(isLLMError(error.value, 'invalid-response')).toBe(true)
    expect(error.value?.message).toMatch(/^no valid object 'answer': servings: .*number/)
    expect(onError).toHaveBeenCalledExactlyOnceWith(error.value)
    expect(status.value).toBe('error')
    expect(result.value).toBeUndefined()
    expect(object.value).toEqual({ title: 'Soup', servings: 'two' })
  })

  it('asks the validator for a JSON Schema', async () => {
    const validator = vi.fn<ToolValidator>(async () => 'servings must be even')
    const { error, submit } = objectOf([json], { validator })
    await submit('soup')
    expect(validator).toHaveBeenCalledWith({ name: 'answer', parameters: schema }, soup)
    expect(error.value?.message).toBe(`no valid object 'answer': servings must be even`)
  })

  it.each<[string, Script, RegExp]>([
    ['words in place of it', ['I would rather not.'], /: the model wrote: I would rather not\.$/],
    ['nothing but a thought', [[reasoning('hm'), finish()]], /: the model gave none$/],
    ['JSON that is not whole', ['{"title": "So'], /Unterminated string/],
    [
      'an answer cut by its limit',
      [['{"title": "So', finish('length')]],
      /raise settings\.maxTokens\)$/,
    ],
    ['a list', [[toolCall('answer', '[1]'), finish()]], /: \[1\] is no object$/],
  ])('%s is an invalid response', async (_, script, message) => {
    const { submit, error, result } = objectOf(script)
    expect(await submit('soup')).toBeUndefined()
    expect(error.value).toMatchObject({
      code: 'invalid-response',
      message: expect.stringMatching(message),
    })
    expect(result.value).toBeUndefined()
  })

  it('a failure of the provider stays what it is', async () => {
    const script: Script = [['{"title": "So', { type: 'error', code: 'network', message: 'gone' }]]
    const { submit, error, object } = objectOf(script)
    await submit('soup')
    expect(error.value).toMatchObject({ code: 'network', message: 'gone' })
    expect(object.value).toEqual({ title: 'So' })
  })

  it('a call of something else is not run, and nothing is asked again', async () => {
    const { requests, submit, error } = objectOf([[toolCall('other'), finish('tool-calls')], json])
    await submit('soup')
    expect(requests).toHaveLength(1)
    expect(error.value?.code).toBe('invalid-response')
  })
})

describe('the life of a request', () => {
  it('stop keeps what came, and is no error', async () => {
    const onFinish = vi.fn<(event: unknown) => void>()
    const { object, result, submit, stop, status, error } = objectOf(
      [['{"title": "So', hang]],
      { onFinish },
      true,
    )
    const asked = submit('soup')
    await until(() => object.value?.title)
    expect(status.value).toBe('streaming')
    stop()
    expect([status.value, error.value]).toEqual(['ready', undefined])
    expect(await asked).toBeUndefined()
    expect(object.value).toEqual({ title: 'So' })
    expect(result.value).toBeUndefined()
    expect(onFinish).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ isAbort: true, object: { title: 'So' }, result: undefined }),
    )
  })

  it('a new question ends the one before and shows nothing of it', async () => {
    const { requests, object, submit } = objectOf([['{"title": "So', hang], json], {}, true)
    const first = submit('1')
    await until(() => object.value?.title)
    const second = submit('2')
    expect(object.value).toBeUndefined()
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(await Promise.all([first, second])).toEqual([undefined, soup])
    expect(object.value).toEqual(soup)
  })

  it('clear empties everything', async () => {
    const { object, result, error, submit, clear, usage } = objectOf([
      [json, finish('stop', { inputTokens: 3, outputTokens: 4 })],
      'no',
    ])
    await submit('1')
    expect(usage.value).toEqual({ inputTokens: 3, outputTokens: 4 })
    clear()
    expect([object.value, result.value]).toEqual([undefined, undefined])
    expect(usage.value).toEqual({ inputTokens: 0, outputTokens: 0 })
    await submit('2')
    expect(error.value).toBeDefined()
    clear()
    expect(error.value).toBeUndefined()
  })

  it('takes a message, too, as sendMessage does', async () => {
    const { requests, submit } = objectOf([json, json])
    const file = { type: 'file', mediaType: 'image/png', data: 'aGk=' } as const
    expect(await submit({ content: 'What is this?', parts: [file] })).toEqual(soup)
    expect(await submit({ content: 'soup' })).toEqual(soup)
    expect(requests.map(({ messages }) => messages)).toMatchObject([
      [{ role: 'user', parts: [file, { text: 'What is this?' }] }],
      [{ role: 'user', parts: [{ text: 'soup' }] }],
    ])
  })

  it.each([
    ['nothing', undefined],
    ['the event of a button', new Event('click')],
    ['a list with a hole', [null]],
  ])('never rejects: %s is a misuse in error, and nothing is asked', async (_, prompt) => {
    const { requests, submit, error, status, result } = objectOf([json])
    expect(await submit(prompt as never)).toBeUndefined()
    expect([status.value, error.value?.code, requests.length]).toEqual(['error', 'misuse', 0])
    expect(await submit('soup')).toEqual(soup)
    expect([error.value, result.value]).toEqual([undefined, soup])
  })

  it('ends with its scope', async () => {
    const scope = effectScope()
    const { requests, object, submit } = scope.run(() => objectOf([['{"title": "So', hang], json]))!
    const asked = submit('soup')
    await until(() => object.value?.title)
    scope.stop()
    await asked
    expect(requests[0]?.signal.aborted).toBe(true)
    await submit('again')
    expect(requests).toHaveLength(1)
  })

  it('in an effect it is asked once', async () => {
    const { requests, submit, object } = objectOf([json, json])
    watchEffect(() => void submit('soup'))
    await until(() => object.value?.steps?.length === 3)
    await nextTick()
    expect(requests).toHaveLength(1)
  })

  it('onFinish gets object, result, usage and reason', async () => {
    const onFinish = vi.fn<(event: unknown) => void>()
    const usage = { inputTokens: 1, outputTokens: 2 }
    const { submit } = objectOf([[json, finish('stop', usage)]], { onFinish })
    await submit('soup')
    expect(onFinish).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({
        object: soup,
        result: soup,
        usage,
        finishReason: 'stop',
        isAbort: false,
        isError: false,
      }),
    )
  })
})
