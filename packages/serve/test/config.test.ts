import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ConfigError, isLoopback, readConfig, usage, type ServeConfig } from '../src/config'

interface Given {
  argv?: string[]
  env?: Record<string, string>
  files?: Record<string, string>
}

function read({ argv = [], env = {}, files = {} }: Given) {
  return readConfig({
    argv,
    env,
    readFile(path) {
      const text = files[path]
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
      return text
    },
  })
}

function config(given: Given): ServeConfig {
  const command = read(given)
  if (command.kind !== 'serve') throw new Error(command.kind)
  return command.config
}

function problems(given: Given): readonly string[] {
  try {
    read(given)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('where values come from', () => {
  it('nothing given: the demo model on a loopback address, port 8787', () => {
    expect(config({})).toMatchObject({
      baseURL: undefined,
      model: 'vue-llm-demo',
      host: '127.0.0.1',
      port: 8787,
      llmEnabled: true,
      isDemo: false,
    })
  })

  it('a flag wins over the environment, and that over the .env file', () => {
    const files = { '.env': 'PORT=1\nHOST=localhost\nLLM_MODEL="from file"\n' }
    const given = { files, env: { PORT: '2', HOST: 'h' }, argv: ['--port', '3'] }
    expect(config(given)).toMatchObject({ port: 3, host: 'h', model: 'from file' })
  })

  it('an IPv6 address may be written as in a URL', () => {
    expect(config({ env: { HOST: '[::1]' } }).host).toBe('::1')
  })

  it('an empty variable is none', () => {
    expect(config({ env: { LLM_BASE_URL: '', PORT: ' ' } })).toMatchObject({
      baseURL: undefined,
      port: 8787,
    })
  })

  it('--demo asks no model, whatever the environment says', () => {
    const env = { LLM_BASE_URL: 'http://localhost:1/v1', LLM_MODEL: 'vue-llm-demo-text' }
    expect(config({ argv: ['--demo'], env })).toMatchObject({
      baseURL: undefined,
      model: 'vue-llm-demo-text',
      isDemo: true,
    })
  })

  it('what the registry reads holds file, environment and flags', () => {
    const { env } = config({
      files: { '.env': 'LLM_TOOL_TIMEOUT_SECS=3' },
      argv: ['--tools-file', 'a.json'],
    })
    expect(env).toMatchObject({ LLM_TOOL_TIMEOUT_SECS: '3', LLM_TOOLS_FILE: 'a.json' })
  })

  it.each([
    ['--help', 'help'],
    ['-h', 'help'],
    ['--version', 'version'],
  ])('%s', (flag, kind) => {
    expect(read({ argv: [flag] })).toEqual({ kind })
  })
})

describe('what is wrong is said with the name of the variable', () => {
  it.each<[string, Given, RegExp]>([
    ['a port', { env: { PORT: 'http' } }, /^PORT: .*'http'/],
    ['a port out of range', { argv: ['--port', '70000'] }, /^PORT: .*65535/],
    ['a base URL', { env: { LLM_BASE_URL: 'localhost', LLM_MODEL: 'm' } }, /^LLM_BASE_URL: /],
    ['no model', { env: { LLM_BASE_URL: 'http://localhost/v1' } }, /^LLM_MODEL: needed/],
    ['a user in it', { argv: ['--model', 'm', '--base-url', 'http://u@h/v1'] }, /^LLM_BASE_URL: /],
    [
      'a password in it',
      { argv: ['--model', 'm', '--base-url', 'http://:p@h'] },
      /^LLM_BASE_URL: /,
    ],
    ['a time of tools', { env: { LLM_TOOL_TIMEOUT_SECS: '0' } }, /^LLM_TOOL_TIMEOUT_SECS: /],
    ['a pace', { env: { DEMO_DELAY_MS: 'slow' } }, /^DEMO_DELAY_MS: .*'slow'/],
    ['a boolean', { env: { LLM_ENABLED: 'maybe' } }, /^LLM_ENABLED: /],
    ['an origin', { env: { CORS_ORIGINS: 'https://a.example/path' } }, /^CORS_ORIGINS: /],
    ['an unknown flag', { argv: ['--nope'] }, /--nope.*--help/],
    ['a flag without its value', { argv: ['--port'] }, /--port/],
    ['an argument', { argv: ['start'] }, /start.*--help/],
    ['a file that is not there', { argv: ['--env-file', 'x.env'] }, /^--env-file: x\.env/],
  ])('%s', (_what, given, problem) => {
    expect(problems(given)).toEqual([expect.stringMatching(problem)])
  })

  it('all at once', () => {
    const tools = { LLM_TOOLS_ENABLED: 'x', LLM_TOOL_MAX_ITERATIONS: '-1' }
    const env = { PORT: 'x', LLM_ENABLED: 'x', SHUTDOWN_SECS: '-1', ...tools }
    const names = problems({ env }).map((line) => line.split(':')[0])
    expect(names.toSorted()).toEqual(Object.keys(env).toSorted())
  })
})

it('a server that others can reach is told to guard its tools', () => {
  const warnings = (env: Record<string, string>) => {
    const command = read({ env })
    return command.kind === 'serve' ? command.warnings : []
  }
  expect(warnings({ HOST: '0.0.0.0' })).toEqual([expect.stringContaining('LLM_TOOLS_API_TOKEN')])
  expect(warnings({ HOST: '0.0.0.0', LLM_TOOLS_API_TOKEN: 'secret' })).toEqual([])
  expect(warnings({})).toEqual([])
})

it.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['localhost', true],
  ['LOCALHOST', true],
  ['::1', true],
  ['[::1]', true],
  ['0.0.0.0', false],
  ['localhost.example.com', false],
  ['127.0.0.1.nip.io', false],
  ['10.0.0.1', false],
])('%s is a loopback address: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})

describe('README.md', () => {
  const text = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
  const found = (pattern: RegExp, within: string) => [
    ...new Set([...within.matchAll(pattern)].map(([, name]) => name)),
  ]
  const readme = text('../README.md')
  const rows = readme.split('\n').filter((line) => line.startsWith('|'))

  it('has every variable in its table', () => {
    const tools = text('../../vue-llm/src/server/toolRegistryFromEnv.ts')
    const names = [
      ...found(/\benv\.([A-Z_]+)/g, text('../src/config.ts')),
      ...found(/'(LLM_TOOL[A-Z_]+)'/g, tools),
    ]
    expect(names.length).toBeGreaterThan(14)
    expect(names.filter((name) => !rows.some((row) => row.startsWith(`| \`${name}\``)))).toEqual([])
  })

  it('has every flag in it', () => {
    const flags = found(/^  --([a-z-]+) /gm, usage).filter((name) => name !== 'help')
    expect(flags.length).toBeGreaterThan(7)
    expect(flags.filter((name) => !rows.some((row) => row.includes(`\`--${name}\``)))).toEqual([])
  })
})
