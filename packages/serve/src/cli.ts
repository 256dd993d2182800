#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { ConfigError, readConfig, usage } from './config'
import { createServeServer } from './createServeServer'
import { createLog } from './log'

/** Milliseconds in which a second signal is the first one told again: by the terminal, and by what started this. */
const sameSignalMs = 500

/** Says on the terminal what can't go on, and ends. */
function giveUp(problems: readonly string[]): never {
  console.error(['vue-llm-serve can’t start:', ...problems.map((line) => `  ${line}`)].join('\n'))
  process.exit(1)
}

/** Why there is no listening, by the code of Node's error. */
const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'PORT: it is taken by another server; choose another',
  EACCES: 'PORT: it may not be used here; choose one above 1023',
  EADDRNOTAVAIL: 'HOST: it is no address of this machine',
  ENOTFOUND: 'HOST: there is no such name',
  EAI_AGAIN: 'HOST: there is no such name',
}

const readText = (path: string) => readFileSync(path, 'utf8')

function readCommand() {
  try {
    return readConfig({ argv: process.argv.slice(2), env: process.env, readFile: readText })
  } catch (error) {
    if (error instanceof ConfigError) giveUp(error.problems)
    throw error
  }
}

async function serve(): Promise<void> {
  const command = readCommand()
  if (command.kind === 'help') return console.log(usage)
  if (command.kind === 'version') {
    const manifest = readText(fileURLToPath(new URL('../package.json', import.meta.url)))
    return console.log((JSON.parse(manifest) as { version: string }).version)
  }
  const { config, warnings } = command
  const secrets = [config.apiKey, config.toolsToken]
  const log = createLog((line) => process.stdout.write(line), secrets)
  for (const message of warnings) log('warn', 'config', { message })
  const server = await createServeServer(config, { log, readFile: (path) => readFileSync(path) })
  const url = await server.listen()
  log('info', 'ready', {
    url,
    docs: `${url}/docs`,
    model: config.model,
    upstream: config.baseURL === undefined ? 'demo model' : new URL(config.baseURL).origin,
  })
  let stopped: number | undefined
  const stop = () => {
    // A second signal ends at once.
    if (stopped !== undefined && performance.now() - stopped > sameSignalMs) process.exit(1)
    if (stopped !== undefined) return
    stopped = performance.now()
    void server.stop().then(() => process.exit(0))
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop)
}

try {
  await serve()
} catch (error) {
  giveUp(problemsOf(error))
}

/** What is wrong, a line each: a definitions file may have several problems. */
function problemsOf(error: unknown): string[] {
  const { message, errors, code } = error as {
    message?: string
    code?: string
    errors?: readonly { path: string; message: string }[]
  }
  const known = Object.hasOwn(listenProblems, `${code}`) ? listenProblems[`${code}`] : undefined
  if (known !== undefined) return [known]
  if (!errors) return [message ?? `${error}`]
  // The message lists them as well, in one line.
  return [
    /^.*?\): [^:]*/.exec(`${message}`)?.[0] ?? 'LLM_TOOLS_FILE: invalid tool definitions',
    ...errors.map(({ path, message: what }) => `  ${path || 'file'}: ${what}`),
  ]
}
