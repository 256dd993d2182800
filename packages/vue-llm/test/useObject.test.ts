import { createServer } from 'node:http'
import { describe, expect, it } from 'vitest'
import { watch } from 'vue'
import { createOpenAIProvider, createProxyProvider, useCompletion, useObject } from 'vue-llm'
import { createLLMHandler, toNodeHandler, type LLMHandlerOptions } from 'vue-llm/server'
import { createDemoModel } from 'vue-llm/testing'
import { z } from 'zod'
import { listen } from './listen'

/** Serves a handler on a port of its own; gives its URL and the bodies it was sent. */
async function serve(handler: (request: Request) => Promise<Response>) {
  const bodies: Record<string, unknown>[] = []
  const server = createServer(
    toNodeHandler(async (request) => {
      bodies.push((await request.clone().json()) as Record<string, unknown>)
      return handler(request)
    }),
  )
  return { url: await listen(server), bodies }
}

const serveModel = (delayMs = 0) => serve(createDemoModel({ delayMs }))

/** A server with a model of its own behind it, as an app has. */
async function serveApp(allow: LLMHandlerOptions['allow']) {
  const model = await serveModel()
  const app = await serve(
    createLLMHandler({
      provider: createOpenAIProvider({ baseURL: `${model.url}/v1` }),
      model: 'vue-llm-demo',
      allow,
      tools: [{ name: 'weather', execute: () => 'sunny' }],
    }),
  )
  return { model, url: app.url }
}

const recipe = z.object({
  title: z.string(),
  minutes: z.int(),
  ingredients: z.array(z.object({ name: z.string(), amount: z.string() })),
})
const cake = {
  title: 'lemon cake',
  minutes: 30,
  ingredients: ['butter', 'flour', 'salt'].map((name) => ({ name, amount: '1 cup' })),
}
const prompt = 'A recipe for lemon cake'

describe('useObject over HTTP', () => {
  it.each(['auto', 'json', 'tool'] as const)('asks in the mode %s, and grows', async (mode) => {
    const { url, bodies } = await serveModel(1)
    const provider = createOpenAIProvider({ baseURL: `${url}/v1` })
    const { object, submit, error, usage } = useObject({
      provider,
      model: 'vue-llm-demo',
      name: 'recipe',
      schema: recipe,
      mode,
    })
    const seen: unknown[] = []
    watch(object, (value) => seen.push(value), { flush: 'sync' })
    expect(await submit(prompt)).toEqual(cake)
    expect(error.value).toBeUndefined()
    expect(seen.length).toBeGreaterThan(4)
    expect(usage.value.outputTokens).toBeGreaterThan(0)
    const asCall = {
      tools: [{ type: 'function', function: { name: 'recipe' } }],
      tool_choice: { type: 'function', function: { name: 'recipe' } },
    }
    const asForm = {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'recipe', schema: { required: ['title', 'minutes', 'ingredients'] } },
      },
    }
    expect(bodies).toMatchObject([mode === 'tool' ? asCall : asForm])
  })

  it('says that the server failed', async () => {
    const { url } = await serve(async () => Response.json({ error: 'busy' }, { status: 503 }))
    const provider = createOpenAIProvider({ baseURL: url, maxRetries: 0 })
    const { submit, error, status } = useObject({ provider, model: 'm', schema: recipe })
    expect(await submit(prompt)).toBeUndefined()
    expect(error.value).toMatchObject({ code: 'http', status: 503 })
    expect(status.value).toBe('error')
  })
})

describe('useObject behind a createLLMHandler', () => {
  it('offers a call, which the model may make, where nothing is allowed', async () => {
    const { url, model } = await serveApp([])
    const { submit, error } = useObject({
      provider: createProxyProvider(url),
      schema: recipe,
      name: 'recipe',
    })
    expect(await submit(prompt)).toEqual(cake)
    expect(error.value).toBeUndefined()
    expect(model.bodies).toHaveLength(1)
    expect(model.bodies).toMatchObject([{ tool_choice: 'auto' }])
  })

  it('forces the call where toolChoice is allowed', async () => {
    const { url, model } = await serveApp(['toolChoice'])
    const { submit } = useObject({ provider: createProxyProvider(url), schema: recipe })
    expect(await submit(prompt)).toEqual(cake)
    expect(model.bodies).toMatchObject([{ tool_choice: { function: { name: 'answer' } } }])
  })

  it('asks for JSON where settings are allowed', async () => {
    const { url, model } = await serveApp(['settings'])
    const provider = createProxyProvider(url)
    const { submit } = useObject({ provider, schema: recipe, mode: 'json' })
    expect(await submit(prompt)).toEqual(cake)
    expect(model.bodies).toMatchObject([{ response_format: { type: 'json_schema' } }])
  })

  it('says what the model wrote in place of it', async () => {
    const { url } = await serveApp([])
    const { submit, error } = useObject({ provider: createProxyProvider(url), schema: recipe })
    expect(await submit('Hello')).toBeUndefined()
    expect(error.value).toMatchObject({
      code: 'invalid-response',
      message: expect.stringMatching(/^no valid object 'answer': the model wrote: /),
    })
  })

  it('waits for the tools of the server', async () => {
    const { url } = await serveApp([])
    const { submit } = useObject({
      provider: createProxyProvider(url),
      schema: recipe,
      name: 'recipe',
    })
    expect(await submit('What is the weather, then a recipe for lemon cake')).toEqual(cake)
  })
})

describe('useCompletion over HTTP', () => {
  it('gives the text of a model, and of a server of one’s own', async () => {
    const { url } = await serveApp([])
    const model = await serveModel()
    for (const provider of [
      createOpenAIProvider({ baseURL: `${model.url}/v1` }),
      createProxyProvider(url),
    ]) {
      const { complete, error } = useCompletion({ provider, model: 'vue-llm-demo' })
      expect(await complete('count to 5')).toBe('1, 2, 3, 4, 5')
      expect(error.value).toBeUndefined()
    }
  })
})
