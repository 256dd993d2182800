import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { build } from 'esbuild'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemoModel } from 'vue-llm/testing'
import { chromiumPath, launchChromium } from '../../../playground/launchChromium'

/** A page with a chat whose tool takes no city that the model could name, were its arguments checked. */
const page = `
  import { createApp, h } from 'vue'
  import { createOpenAIProvider, useChat } from './index'
  import { ajvValidator } from './ajv'
  createApp({
    setup() {
      const { messages, status, sendMessage } = useChat({
        provider: createOpenAIProvider({ baseURL: '/v1' }),
        model: 'demo',
        validator: ajvValidator(),
        tools: [{
          name: 'get_weather',
          description: 'Current weather of a city',
          parameters: {
            type: 'object',
            properties: { city: { type: 'string', pattern: '^none$' } },
            required: ['city'],
          },
          execute: ({ city }) => 'It is sunny in ' + city,
        }],
      })
      const ask = () => sendMessage('What is the weather in Paris and Rome?')
      return () => [
        h('button', { onClick: ask }, 'Ask'),
        h('output', status.value),
        h('pre', JSON.stringify(messages.value)),
      ]
    },
  }).mount('#app')`

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: page, resolveDir: new URL('../src', import.meta.url).pathname },
    bundle: true,
    format: 'esm',
    write: false,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles[0]?.text ?? ''
}

const skip = chromiumPath === undefined

describe.skipIf(skip)('a chat with ajvValidator in a page', { timeout: 30_000 }, () => {
  let server: Server
  let browser: Browser
  let url = ''
  /** What the model was sent. */
  let asked: string[] = []

  beforeAll(async () => {
    const script = await bundle()
    const model = createDemoModel({ delayMs: 0 })
    server = createServer(async (request, response) => {
      const path = request.url ?? '/'
      if (request.method === 'POST') {
        const body = await readText(request)
        asked.push(body)
        const answer = await model(`http://demo${path}`, { method: 'POST', body })
        response.writeHead(answer.status, Object.fromEntries(answer.headers))
        return response.end(await answer.text())
      }
      if (path === '/page.js') {
        return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
      }
      const csp = "default-src 'none'; script-src 'self'; connect-src 'self'"
      response.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        ...(path === '/strict' && { 'content-security-policy': csp }),
      })
      return response.end(
        '<!doctype html><link rel="icon" href="data:,"><div id="app"></div>' +
          '<script type="module" src="/page.js"></script>',
      )
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchChromium(chromiumPath ?? '')
  }, 60_000)

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  async function chatOn(path: string) {
    asked = []
    const warnings: string[] = []
    const tab = await browser.newPage()
    tab.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text())
    })
    await tab.goto(url + path)
    await tab.getByRole('button', { name: 'Ask' }).click()
    await tab.locator('pre', { hasText: '"stop"' }).waitFor()
    await tab.locator('output', { hasText: 'ready' }).waitFor()
    const messages = await tab.locator('pre').textContent()
    await tab.close()
    return { messages, warnings }
  }

  it('goes on under a strict Content Security Policy: unchecked, with one warning', async () => {
    const { messages, warnings } = await chatOn('/strict')
    expect(warnings.filter((text) => text.includes('vue-llm'))).toEqual([
      expect.stringMatching(/not checked: code generation is forbidden.*precompiledValidator/),
    ])
    expect(messages).toMatch(/It is sunny in Paris.*It is sunny in Rome/)
    expect(asked).toHaveLength(2)
    expect(asked.join()).not.toMatch(/EvalError|unsafe-eval|Content Security/)
  })

  it('checks the arguments in a page that has none', async () => {
    const { messages, warnings } = await chatOn('/')
    expect(warnings).toEqual([])
    expect(messages).not.toContain('It is sunny')
    expect(asked[1]).toContain(
      "Error: invalid arguments for tool 'get_weather': /city must match pattern",
    )
  })
})
