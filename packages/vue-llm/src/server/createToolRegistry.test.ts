import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { expectWarning } from '#test/expectWarning'
import { isLLMError } from '../core'
import { createToolRegistry, toolRegistryFromEnv } from './index'

const weather = {
  name: 'get_weather',
  description: 'd',
  parameters: { type: 'object', properties: { city: { type: 'string' } } },
  url: 'https://h.example/{city}',
}
const note = { name: 'add_note', description: 'd', url: 'https://h.example/notes' }
const file = JSON.stringify([weather])

const thrownBy = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return error
  }
}

describe('a registry', () => {
  it('without definitions is off, with the defaults of the guide', () => {
    const registry = createToolRegistry()
    expect(registry).toMatchObject({
      enabled: false,
      source: 'none',
      count: 0,
      tools: [],
      maxIterations: 4,
      timeoutSecs: 15,
      resultMaxChars: 2000,
      llmEnabled: true,
    })
    expect(registry.snapshot()).toEqual({ tools: [], maxIterations: 4 })
  })

  it('gives what runs in its snapshot, in the order of the definitions', () => {
    const { tools } = createToolRegistry({ definitions: [weather, note] }).snapshot()
    expect(tools).toMatchObject([
      { name: 'get_weather', parameters: weather.parameters },
      { name: 'add_note', execute: expect.any(Function) },
    ])
    // Where the request goes is nothing that the model reads.
    expect(JSON.stringify(tools)).not.toContain('h.example')
  })

  it('takes a list, the text or the bytes of a file', () => {
    for (const definitions of [[weather], file, `\ufeff${file}`, new TextEncoder().encode(file)]) {
      const registry = createToolRegistry({ definitions })
      expect(registry).toMatchObject({ enabled: true, source: 'file', count: 1, tools: [weather] })
    }
  })

  it('D39 a snapshot stays as it is when the definitions are replaced', () => {
    const registry = createToolRegistry({ definitions: [weather] })
    const before = registry.snapshot()
    registry.replace([note])
    expect(before.tools.map(({ name }) => name)).toEqual(['get_weather'])
    expect(registry.snapshot().tools.map(({ name }) => name)).toEqual(['add_note'])
    expect(registry).toMatchObject({ source: 'request', count: 1, tools: [note] })
  })

  it.each([
    ['an empty list', [], 'no tool definition'],
    ['no list', {}, 'expected an array'],
    ['a broken element', [weather, { name: 'b' }], '/1/url'],
    ['a name twice', [weather, weather], '/1/name'],
  ])('keeps what it has where %s is to replace it', (_, definitions, text) => {
    const registry = createToolRegistry({ definitions: [weather] })
    const error = thrownBy(() => registry.replace(definitions))
    expect(isLLMError(error, 'invalid-definition')).toBe(true)
    expect(error).toMatchObject({
      errors: [{ path: expect.any(String), message: expect.any(String) }],
    })
    expect(`${error}`).toContain(text)
    expect(registry).toMatchObject({ source: 'file', count: 1, tools: [weather] })
  })

  it('that is turned off offers nothing and takes nothing', () => {
    for (const options of [{ enabled: false }, { maxIterations: 0 }]) {
      const registry = createToolRegistry({ definitions: [weather], ...options })
      expect(registry.enabled).toBe(false)
      expect(registry.snapshot().tools).toEqual([])
      expect(
        isLLMError(
          thrownBy(() => registry.replace([note])),
          'misuse',
        ),
      ).toBe(true)
    }
  })

  it('tells of what works but perhaps not as meant, at the start and later', () => {
    const onWarning = vi.fn<(warning: object) => void>()
    const registry = createToolRegistry({ definitions: [{ ...weather, extra: 1 }], onWarning })
    expect(onWarning).toHaveBeenCalledWith({ path: '/0/extra', message: expect.any(String) })
    registry.replace([{ name: 'b', url: 'https://h.example' }])
    expect(onWarning).toHaveBeenLastCalledWith({
      path: '/0/description',
      message: expect.any(String),
    })
  })
})

describe('guide §2 the environment', () => {
  const fromEnv = (env: Record<string, string>, text = file) =>
    toolRegistryFromEnv(env, { readFile: () => text, onWarning: () => {} })
  const tools = { LLM_TOOLS_FILE: 'tools.json' }

  it('reads the file that it names, once', () => {
    const readFile = vi.fn<(path: string) => string>(() => file)
    const registry = toolRegistryFromEnv(tools, { readFile })
    registry.snapshot()
    registry.snapshot()
    expect(readFile.mock.calls).toEqual([['tools.json']])
    expect(registry).toMatchObject({ enabled: true, source: 'file', count: 1 })
  })

  it('reads it from the disk of Node by default', () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'tools.json')
    writeFileSync(path, `\ufeff${file}`)
    expect(toolRegistryFromEnv({ LLM_TOOLS_FILE: path })).toMatchObject({ count: 1 })
  })

  it.each(['true', 'TRUE', '1', 'yes', 'On'])('D29 LLM_TOOLS_ENABLED=%s is on', (value) => {
    expect(fromEnv({ ...tools, LLM_TOOLS_ENABLED: value }).enabled).toBe(true)
    const none = fromEnv({ LLM_TOOLS_ENABLED: value })
    expect(none).toMatchObject({ enabled: false, source: 'none' })
    none.replace([note])
    expect(none.enabled).toBe(true)
  })

  it.each(['false', 'False', '0', 'no', 'OFF'])('D29 LLM_TOOLS_ENABLED=%s is off', (value) => {
    const registry = fromEnv({ ...tools, LLM_TOOLS_ENABLED: value })
    expect(registry.enabled).toBe(false)
    expect(() => registry.replace([note])).toThrow('turned off')
  })

  it('D29 an empty variable counts as none', () => {
    const env = {
      LLM_TOOLS_ENABLED: '',
      LLM_TOOLS_FILE: ' ',
      LLM_TOOL_MAX_ITERATIONS: '',
      LLM_TOOL_TIMEOUT_SECS: ' ',
      LLM_TOOL_RESULT_MAX_CHARS: '',
    }
    expect(fromEnv(env)).toMatchObject({
      enabled: false,
      source: 'none',
      maxIterations: 4,
      timeoutSecs: 15,
      resultMaxChars: 2000,
    })
  })

  it.each([
    ['LLM_TOOL_MAX_ITERATIONS', '0', { maxIterations: 0, enabled: false }],
    ['LLM_TOOL_MAX_ITERATIONS', ' 7 ', { maxIterations: 7 }],
    ['LLM_TOOL_TIMEOUT_SECS', '0.5', { timeoutSecs: 0.5 }],
    ['LLM_TOOL_TIMEOUT_SECS', '.25', { timeoutSecs: 0.25 }],
    ['LLM_TOOL_RESULT_MAX_CHARS', '50', { resultMaxChars: 50 }],
  ])('D29 %s may be %j', (name, value, expected) => {
    expect(fromEnv({ ...tools, [name]: value })).toMatchObject(expected)
  })

  it.each([
    ['LLM_TOOLS_ENABLED', 'maybe'],
    ['LLM_TOOLS_ENABLED', '2'],
    ['LLM_TOOLS_ENABLED', 'toString'],
    ['LLM_TOOL_MAX_ITERATIONS', '-1'],
    ['LLM_TOOL_MAX_ITERATIONS', '1.5'],
    ['LLM_TOOL_MAX_ITERATIONS', 'four'],
    ['LLM_TOOL_TIMEOUT_SECS', '0'],
    ['LLM_TOOL_TIMEOUT_SECS', '-3'],
    ['LLM_TOOL_TIMEOUT_SECS', '15s'],
    ['LLM_TOOL_TIMEOUT_SECS', 'Infinity'],
    ['LLM_TOOL_RESULT_MAX_CHARS', '0'],
    ['LLM_TOOL_RESULT_MAX_CHARS', '0x10'],
    ['LLM_TOOL_RESULT_MAX_CHARS', 'NaN'],
  ])('D29 %s=%s throws at the start and names the variable', (name, value) => {
    const error = thrownBy(() => fromEnv({ ...tools, [name]: value }))
    expect(isLLMError(error, 'misuse')).toBe(true)
    expect(`${error}`).toMatch(new RegExp(`${name}: expected .+, not '${value}'`))
  })

  it('D29 tells every wrong variable at once', () => {
    expect(() =>
      fromEnv({ LLM_TOOLS_ENABLED: 'x', LLM_TOOL_MAX_ITERATIONS: 'y', LLM_TOOL_TIMEOUT_SECS: 'z' }),
    ).toThrow(/LLM_TOOLS_ENABLED.*LLM_TOOL_MAX_ITERATIONS.*LLM_TOOL_TIMEOUT_SECS/)
  })

  it('D26 a broken file throws at the start, with its name and every problem', () => {
    const broken = '[{"name":"a b","url":"https://h.example"},{"name":"c"},{"name":"d","url":"x"}]'
    const error = thrownBy(() => fromEnv(tools, broken))
    expect(isLLMError(error, 'invalid-definition')).toBe(true)
    const { errors = [] } = error as { errors?: { path: string }[] }
    expect(errors.map(({ path }) => path).sort()).toEqual(['/0/name', '/1/url', '/2/url'])
    expect(`${error}`).toMatch(/LLM_TOOLS_FILE \(tools.json\).*\/0\/name.*\/2\/url/)
  })

  it.each([
    ['empty', ''],
    ['no JSON', '[{'],
    ['no array', '{}'],
  ])('D26 a file that is %s throws at the start', (_, text) => {
    expect(() => fromEnv(tools, text)).toThrow(/LLM_TOOLS_FILE \(tools.json\)/)
  })

  it('D26 a file that is not UTF-8 throws at the start', () => {
    const readFile = () => new Uint8Array([0x5b, 0xff, 0x5d])
    expect(() => toolRegistryFromEnv(tools, { readFile })).toThrow(/LLM_TOOLS_FILE.*UTF-8/)
  })

  it('D26 an empty list in the file is none', () => {
    expect(fromEnv(tools, '[]')).toMatchObject({ enabled: false, source: 'none', count: 0 })
  })

  it('29, D26 a file that is not there is warned of, and no tools are active', () => {
    expectWarning(/LLM_TOOLS_FILE: there is no file missing\.json/)
    const registry = toolRegistryFromEnv({
      LLM_TOOLS_FILE: 'missing.json',
      LLM_TOOLS_ENABLED: 'true',
    })
    expect(registry).toMatchObject({ enabled: false, source: 'none', count: 0 })
  })

  it('a file that can not be read throws at the start', () => {
    expect(() => toolRegistryFromEnv({ LLM_TOOLS_FILE: tmpdir() })).toThrow(
      /LLM_TOOLS_FILE: .* can't be read \(EISDIR/,
    )
  })

  it('warnings of the file go to the console', () => {
    expectWarning(/tool definitions \/0\/extra: /)
    const text = JSON.stringify([{ ...weather, extra: 1 }])
    expect(toolRegistryFromEnv(tools, { readFile: () => text }).count).toBe(1)
  })

  it('other definitions stand in where no file is named', () => {
    const registry = toolRegistryFromEnv({}, { definitions: [note] })
    expect(registry).toMatchObject({ enabled: true, tools: [note] })
    const named = toolRegistryFromEnv(tools, { definitions: [note], readFile: () => file })
    expect(named.tools).toEqual([weather])
  })
})
