import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import ts from 'typescript'
import { expect, test } from 'vitest'
import {
  createMessage,
  runChat,
  type Provider,
  type ToolCallPart,
} from '../../packages/vue-llm/src/core/index.ts'
import { sourceFolder } from './sources.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [, sample = ''] =
  /^```ts\n(.*?)^```$/ms.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')) ?? []
/** Where the sample says that it stands; nothing is written there. */
const place = join(sourceFolder, 'providers', 'parrot.ts')

test('the provider of CONTRIBUTING compiles where it stands', { timeout: 60_000 }, () => {
  const base = join(root, 'tsconfig.base.json')
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(base, ts.sys.readFile).config,
    ts.sys,
    root,
  )
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = (name) => name === place || fileExists(name)
  host.readFile = (name) => (name === place ? sample : readFile(name))
  host.getSourceFile = (name, version, ...rest) =>
    name === place
      ? ts.createSourceFile(name, sample, version)
      : getSourceFile(name, version, ...rest)
  const program = ts.createProgram([place], options, host)
  const found = ts.getPreEmitDiagnostics(program, program.getSourceFile(place))
  expect(found.map(({ messageText }) => messageText)).toEqual([])
})

test('it runs a chat of two rounds', async () => {
  const { outputFiles } = await build({
    stdin: { contents: sample, resolveDir: dirname(place), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  })
  const code = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')
  const { createParrotProvider } = (await import(`data:text/javascript;base64,${code}`)) as {
    createParrotProvider(options: object): Provider
  }
  const answers = [
    [
      { text: 'I look.' },
      { call: { id: 'a', name: 'look', args: { at: 'sky' } } },
      { end: 'done', tokens: { read: 3, written: 2 } },
    ],
    [{ text: 'It is blue.' }, { end: 'done' }],
  ]
  const asked: unknown[] = []
  const provider = createParrotProvider({
    fetch: async (url: string, { body }: RequestInit) => {
      asked.push([url, JSON.parse(`${body}`)])
      return new Response(answers[asked.length - 1]?.map((one) => JSON.stringify(one)).join('\n'))
    },
  })
  const messages = [createMessage('user', { content: 'look' })]
  const tools = [{ name: 'look', execute: ({ at }: { at: string }) => `${at} is blue` }]
  const request = { model: 'm', system: 'Be kind.' }
  for await (const _ of runChat({ provider, messages, tools, request }));
  expect(messages[1]?.steps).toMatchObject([
    { finishReason: 'stop', rawFinishReason: 'done', usage: { inputTokens: 3, outputTokens: 2 } },
    { finishReason: 'stop' },
  ])
  expect(
    messages[1]?.parts.find((part): part is ToolCallPart => part.type === 'tool-call'),
  ).toMatchObject({ args: { at: 'sky' }, result: 'sky is blue' })
  expect(asked[1]).toEqual([
    'http://localhost:9000/talk',
    {
      model: 'm',
      stream: true,
      turns: [
        { who: 'rules', text: 'Be kind.' },
        { who: 'user', text: 'look', calls: [] },
        {
          who: 'assistant',
          text: 'I look.',
          calls: [{ id: 'a', name: 'look', args: { at: 'sky' }, result: 'sky is blue' }],
        },
      ],
      tools: [{ name: 'look', parameters: { type: 'object', properties: {} } }],
    },
  ])
})
