import { parseArgs } from 'node:util'
import { parse as parseDotenv } from 'dotenv'
import { toolRegistryFromEnv } from 'vue-llm/server'

/** What the server runs with; see the table in README.md. */
export interface ServeConfig {
  /** Where the model's API starts; without it the demo model answers. */
  baseURL: string | undefined
  apiKey: string | undefined
  model: string
  llmEnabled: boolean
  systemPrompt: string | undefined
  host: string
  /** 0 takes a free port. */
  port: number
  /** Guards `/api/tools`; needed where `host` is not a loopback address. */
  toolsToken: string | undefined
  /** Pages of these origins may ask. */
  corsOrigins: readonly string[]
  /** Seconds that running turns get after SIGTERM. */
  shutdownSecs: number
  /** Milliseconds between two pieces of the demo model's answers. */
  demoDelayMs: number
  /** Loads the packaged example tools and answers them in the process. */
  isDemo: boolean
  /** Environment with the values of the `.env` file and the flags in it: what `toolRegistryFromEnv` reads. */
  env: Readonly<Record<string, string | undefined>>
}

/** Everything that is wrong with flags and environment, a line each. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Flags and the variables that they stand for. A key has none: command lines can be read by everyone. */
const flags = {
  'base-url': 'LLM_BASE_URL',
  model: 'LLM_MODEL',
  'system-prompt': 'LLM_SYSTEM_PROMPT',
  port: 'PORT',
  host: 'HOST',
  'tools-file': 'LLM_TOOLS_FILE',
  'cors-origins': 'CORS_ORIGINS',
} as const

/** What `--help` prints. */
export const usage = `vue-llm-serve: a chat server with HTTP tools

Usage: vue-llm-serve [options]

  --demo                  the demo model and the example tools, without network
  --base-url <url>        where the model's API starts      LLM_BASE_URL
  --model <name>          the model's name                  LLM_MODEL
  --system-prompt <text>  the system prompt                 LLM_SYSTEM_PROMPT
  --tools-file <path>     JSON definitions of HTTP tools    LLM_TOOLS_FILE
  --port <number>         8787 unless set                   PORT
  --host <address>        127.0.0.1 unless set              HOST
  --cors-origins <list>   origins of pages that may ask     CORS_ORIGINS
  --env-file <path>       .env unless set
  --help, --version

A key is given as LLM_API_KEY in the environment or the .env file only.`

/** What the command line asks for. */
export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'serve'; config: ServeConfig; warnings: string[] }

/** What the configuration is read from. */
export interface ConfigSources {
  argv: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** Throws where there is no such file. */
  readFile(path: string): string
}

/**
 * Reads flags, environment and `.env` file; a flag wins over the environment, and that over the file.
 *
 * @throws {@link ConfigError} with everything that is wrong
 */
export function readConfig(sources: ConfigSources): Command {
  const values = readFlags(sources.argv)
  if (values.help) return { kind: 'help' }
  if (values.version) return { kind: 'version' }
  const env: Record<string, string | undefined> = {
    ...readEnvFile(sources, values['env-file']),
    ...withoutEmpty(sources.env),
  }
  for (const [flag, variable] of Object.entries(flags)) {
    const value = values[flag as keyof typeof flags]
    if (value !== undefined) env[variable] = value
  }
  const problems: string[] = []
  const config = readValues(env, values.demo ?? false, problems)
  if (problems.length) throw new ConfigError(problems)
  return { kind: 'serve', config, warnings: warningsOf(config) }
}

function readFlags(argv: readonly string[]) {
  const text = { type: 'string' } as const
  const flag = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...argv],
      options: {
        'base-url': text,
        model: text,
        'system-prompt': text,
        port: text,
        host: text,
        'tools-file': text,
        'cors-origins': text,
        'env-file': text,
        demo: flag,
        help: { ...flag, short: 'h' },
        version: { ...flag, short: 'v' },
      },
    }).values
  } catch (error) {
    const said = error instanceof Error ? error.message : `${error}`
    throw new ConfigError([`${said.split('. ')[0]} (see --help)`])
  }
}

function readEnvFile({ readFile }: ConfigSources, named: string | undefined) {
  try {
    return withoutEmpty(parseDotenv(readFile(named ?? '.env')))
  } catch (error) {
    // Without a name it is only taken along where it is there.
    if (named === undefined && (error as { code?: string }).code === 'ENOENT') return {}
    const reason = error instanceof Error ? error.message : `${error}`
    throw new ConfigError([`--env-file: ${named ?? '.env'} can't be read: ${reason}`])
  }
}

function withoutEmpty(env: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
}

function readValues(
  env: Readonly<Record<string, string | undefined>>,
  isDemo: boolean,
  problems: string[],
): ServeConfig {
  const baseURL = isDemo ? undefined : env.LLM_BASE_URL
  if (baseURL !== undefined && !isHttpUrl(baseURL)) {
    problems.push('LLM_BASE_URL: expected an http or https URL, such as http://localhost:8000/v1')
  } else if (baseURL !== undefined && new URL(baseURL).username + new URL(baseURL).password) {
    problems.push('LLM_BASE_URL: a URL with user or password is not asked; use LLM_API_KEY')
  }
  readToolValues(env, problems)
  const model = env.LLM_MODEL ?? (baseURL === undefined ? 'vue-llm-demo' : '')
  if (!model) problems.push('LLM_MODEL: needed with LLM_BASE_URL; the name of a model there')
  return {
    baseURL,
    apiKey: env.LLM_API_KEY,
    model,
    llmEnabled: readBoolean('LLM_ENABLED', env.LLM_ENABLED, true, problems),
    systemPrompt: env.LLM_SYSTEM_PROMPT,
    // An IPv6 address as URLs have it.
    host: (env.HOST ?? '127.0.0.1').trim().replace(/^\[(.*)\]$/, '$1'),
    port: readNumber('PORT', env.PORT, 8787, 65_535, problems),
    toolsToken: env.LLM_TOOLS_API_TOKEN,
    corsOrigins: readOrigins(env.CORS_ORIGINS, problems),
    shutdownSecs: readNumber('SHUTDOWN_SECS', env.SHUTDOWN_SECS, 10, 3600, problems),
    demoDelayMs: readNumber('DEMO_DELAY_MS', env.DEMO_DELAY_MS, 20, 60_000, problems),
    isDemo,
    env,
  }
}

/** Leaves the tools' own variables to their reader, but tells of them together with the others. */
function readToolValues(env: ServeConfig['env'], problems: string[]): void {
  try {
    toolRegistryFromEnv({ ...env, LLM_TOOLS_FILE: undefined })
  } catch (error) {
    problems.push(...(error instanceof Error ? error.message : `${error}`).split('; '))
  }
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function readBoolean(
  name: string,
  value: string | undefined,
  preset: boolean,
  problems: string[],
): boolean {
  const text = value?.trim().toLowerCase()
  if (!text) return preset
  if (/^(true|1|yes|on)$/.test(text)) return true
  if (!/^(false|0|no|off)$/.test(text)) problems.push(`${name}: expected true or false`)
  return false
}

function readNumber(
  name: string,
  value: string | undefined,
  preset: number,
  max: number,
  problems: string[],
): number {
  if (value === undefined) return preset
  const number = Number(value)
  if (!/^\d+$/.test(value.trim()) || number > max) {
    problems.push(`${name}: expected a whole number from 0 to ${max}, not '${value}'`)
  }
  return number
}

function readOrigins(value: string | undefined, problems: string[]): string[] {
  const origins = (value ?? '').split(/[\s,]+/).filter(Boolean)
  for (const origin of origins) {
    if (!isHttpUrl(origin) || new URL(origin).origin !== origin) {
      problems.push(`CORS_ORIGINS: '${origin}' is no origin such as https://app.example.com`)
    }
  }
  return origins
}

/** Whether only this machine can reach the address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i.test(host)
}

function warningsOf(config: ServeConfig): string[] {
  const warnings: string[] = []
  if (!isLoopback(config.host) && !config.toolsToken) {
    warnings.push(
      `HOST ${config.host} can be reached from elsewhere: /api/tools stays closed until LLM_TOOLS_API_TOKEN is set`,
    )
  }
  return warnings
}
