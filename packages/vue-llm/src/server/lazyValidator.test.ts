import { spawn } from 'node:child_process'
import { text as readText } from 'node:stream/consumers'
import { tmpdir } from 'node:os'
import { build } from 'esbuild'
import { describe, expect, it, vi } from 'vitest'
import { toolCall } from 'vue-llm/testing'
import { untrustedSchemas, type AnyTool } from '../core'
import { received, scripted, user } from './__tests__/handlerKit'

const forecast = (execute: NonNullable<AnyTool['execute']>): AnyTool => ({
  name: 'forecast',
  parameters: {
    type: 'object',
    properties: { days: { type: 'integer' }, place: { type: 'string', pattern: '^(a+)+$' } },
    required: ['days'],
  },
  execute,
})
const asked = (args: object) => [[toolCall('forecast', args, 'c')], 'Done.']

describe('the validator of a handler that was given none', () => {
  it('is ajv: a call with wrong arguments does not run, and the model reads what is wrong', async () => {
    const execute = vi.fn<() => string>(() => 'sunny')
    const { ask, requests } = scripted(asked({ days: 'two' }), { tools: [forecast(execute)] })
    const { parts } = received((await ask([user()])).chunks)
    const error = "invalid arguments for tool 'forecast': /days must be integer"
    expect(execute).not.toHaveBeenCalled()
    expect(parts[0]).toMatchObject({ state: 'error', error, errorCode: 'invalid-args' })
    expect(requests[1]?.messages.at(-1)?.parts[0]).toMatchObject({ error })
  })

  it('lets right arguments pass as they are', async () => {
    const execute = vi.fn<(args: unknown) => string>(() => 'sunny')
    await scripted(asked({ days: 2 }), { tools: [forecast(execute)] }).ask([user()])
    expect(execute.mock.calls[0]?.[0]).toEqual({ days: 2 })
  })

  it('runs no pattern of a tool that was posted', async () => {
    const execute = vi.fn<() => string>(() => 'sunny')
    const tool = forecast(execute)
    untrustedSchemas.add(tool.parameters as object)
    const start = performance.now()
    await scripted(asked({ days: 2, place: `${'a'.repeat(40)}!` }), { tools: [tool] }).ask([user()])
    expect(execute).toHaveBeenCalledOnce()
    expect(performance.now() - start).toBeLessThan(2000)
  })

  it('false turns it off', async () => {
    const execute = vi.fn<() => string>(() => 'sunny')
    const options = { tools: [forecast(execute)], validator: false } as const
    await scripted(asked({ days: 'two' }), options).ask([user()])
    expect(execute).toHaveBeenCalledOnce()
  })
})

/** Two chats on a server of its own, each with a call that a schema would refuse. */
const program = `
  import { createScriptedProvider, toolCall } from '../testing'
  import { createLLMHandler } from '.'
  const tools = [{
    name: 'forecast',
    parameters: { type: 'object', properties: { days: { type: 'integer' } } },
    execute: ({ days }) => 'sunny for ' + days + ' days',
  }]
  const script = [[toolCall('forecast', { days: 'two' }, 'c')], 'Done.']
  for (const id of ['1', '2']) {
    const provider = createScriptedProvider(script)
    const handler = createLLMHandler({ provider, model: 'm', tools })
    const parts = [{ type: 'text', text: 'hi', state: 'done', step: 0 }]
    const messages = [{ id: 'u', role: 'user', parts, steps: [], createdAt: 1 }]
    const body = JSON.stringify({ id, messageId: 'a', messages })
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/', { method: 'POST', headers, body })
    console.log(await (await handler(request)).text())
    console.log('the model read', JSON.stringify(provider.requests.at(-1).messages.at(-1)))
  }`

async function run(flags: string[], external: string[]): Promise<{ out: string; err: string }> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    external,
    write: false,
  })
  // Where nothing is installed.
  const node = spawn(process.execPath, [...flags, '--input-type=module', '-'], { cwd: tmpdir() })
  node.stdin.end(outputFiles[0]?.text)
  const [out, err] = await Promise.all([readText(node.stdout), readText(node.stderr)])
  return { out, err }
}

describe('where ajv can’t work the chat goes on, with arguments unchecked and one warning', () => {
  it('without code generation, as under a strict CSP: the model never reads an EvalError', async () => {
    const { out, err } = await run(['--disallow-code-generation-from-strings'], [])
    expect(err.trimEnd()).toMatch(/^vue-llm: .*not checked: code generation is forbidden[^\n]*$/)
    expect(out.match(/"type":"tool-result".*"sunny for two days"/g)).toHaveLength(2)
    expect(out.match(/^the model read .*sunny for two days/gm)).toHaveLength(2)
    expect(out).not.toMatch(/EvalError|code generation/i)
  })

  it('without ajv installed', async () => {
    const { out, err } = await run([], ['ajv'])
    expect(err.trimEnd()).toMatch(/^vue-llm: .*not checked: ajv could not be loaded \(npm i[^\n]*$/)
    expect(out.match(/"type":"tool-result".*"sunny for two days"/g)).toHaveLength(2)
  })

  it('and the same program checks where it can', async () => {
    const { out, err } = await run([], [])
    expect(err).toBe('')
    expect(out.match(/"tool-error".*\/days must be integer/g)).toHaveLength(2)
  })
})
