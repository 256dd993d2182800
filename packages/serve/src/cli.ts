#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { ConfigError, readConfig, usage } from './config'
import { createServeServer } from './createServeServer'
import { createLog } from './log'

/** Says on the terminal what can't go on, and ends. */
function giveUp(problems: readonly string[]): never {
  console.error(['vue-llm-serve can’t start:', ...problems.map((line) => `  ${line}`)].join('\n'))
  process.exit(1)
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
    const manifest = readText(new URL('../package.json', import.meta.url).pathname)
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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // A second signal ends at once.
    process.once(signal, () => {
      process.once(signal, () => process.exit(1))
      void server.stop().then(() => process.exit(0))
    })
  }
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
  if (code === 'EADDRINUSE') return ['PORT: it is taken by another server; choose another']
  return [message ?? `${error}`, ...(errors ?? []).map((one) => `  ${one.path}: ${one.message}`)]
}
