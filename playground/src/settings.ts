import { reactive, watch } from 'vue'
import { wires, type Wire } from './wires'

/** What a person can set; all of it but the key is kept in local storage. */
export interface Settings {
  /** What the server speaks. */
  wire: Wire
  /** For our own wire the whole address. */
  baseURL: string
  model: string
  system: string
  /** Empty leaves it to the server. */
  temperature: number | ''
  maxToolRoundtrips: number
  autoSendToolResults: boolean
  /** Empty is once per frame. */
  throttleMs: number | ''
}

/** A server that is one click away. */
export interface Preset {
  name: string
  wire: Wire
  baseURL: string
  model: string
  /** What it is there to show. */
  note?: string
}

/** The servers offered in the settings. */
export const presets: readonly Preset[] = [
  { name: 'Demo behind a server', wire: 'proxy', baseURL: '/api/chat', model: 'vue-llm-demo' },
  { name: 'Demo model', wire: 'openai', baseURL: '/v1', model: 'vue-llm-demo' },
  {
    name: 'Demo: calls as text',
    wire: 'openai',
    baseURL: '/v1',
    model: 'vue-llm-demo-text',
    note: 'Writes its tool calls into the text, as behind a server without a tool parser: they run all the same, and their tags are never seen.',
  },
  {
    name: 'Demo: swallowed calls',
    wire: 'openai',
    baseURL: '/v1',
    model: 'vue-llm-demo-swallow',
    note: 'Loses its tool calls while it streams, as some servers do: the empty round is asked for once more without a stream.',
  },
  {
    name: 'Demo over a socket',
    wire: 'websocket',
    baseURL: '/ws',
    model: 'vue-llm-demo',
    note: 'The events of vue-llm-serve: with that running, the address is ws://localhost:8787/ws.',
  },
  { name: 'Ollama', wire: 'ollama', baseURL: 'http://localhost:11434', model: 'qwen3' },
  { name: 'llama.cpp', wire: 'openai', baseURL: 'http://localhost:8080/v1', model: 'default' },
  {
    name: 'OpenAI',
    wire: 'responses',
    baseURL: 'https://api.openai.com/v1',
    model: 'gpt-4.1-mini',
  },
  {
    name: 'Anthropic',
    wire: 'anthropic',
    baseURL: 'https://api.anthropic.com/v1',
    model: 'claude-sonnet-4-5',
  },
  {
    name: 'Gemini',
    wire: 'gemini',
    baseURL: 'https://generativelanguage.googleapis.com/v1beta',
    model: 'gemini-2.5-flash',
  },
]

/** The demo model as the page asks it itself. */
export const demo: Pick<Settings, 'wire' | 'baseURL' | 'model'> = {
  wire: 'openai',
  baseURL: '/v1',
  model: 'vue-llm-demo',
}

const defaults: Settings = {
  wire: 'proxy',
  baseURL: '/api/chat',
  model: 'vue-llm-demo',
  system: '',
  temperature: '',
  maxToolRoundtrips: 5,
  autoSendToolResults: true,
  throttleMs: '',
}

const storageKey = 'vue-llm-playground:settings'

/** Reads what a storage holds; a page that may not use it goes on without. */
function read(storage: () => Storage, key: string): string | null {
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

function write(storage: () => Storage, key: string, value: string): void {
  try {
    if (value) storage().setItem(key, value)
    else storage().removeItem(key)
  } catch {
    // Private windows may refuse: the settings then hold until the page is closed.
  }
}

const local = () => localStorage
const session = () => sessionStorage

function load(): Settings {
  const stored: unknown = JSON.parse(read(local, storageKey) ?? '{}')
  const isNumberOrEmpty = new Set(['temperature', 'throttleMs'])
  const known = Object.entries(stored ?? {}).filter(
    ([key, value]) =>
      key in defaults &&
      (typeof value === typeof defaults[key as keyof Settings] ||
        (isNumberOrEmpty.has(key) && typeof value === 'number')),
  )
  const loaded: Settings = { ...defaults, ...Object.fromEntries(known) }
  if (!Object.hasOwn(wires, loaded.wire)) return { ...defaults }
  // Stored before there was a choice.
  if (stored instanceof Object && 'baseURL' in stored && !('wire' in stored)) loaded.wire = 'openai'
  return loaded
}

function loadSafely(): Settings {
  try {
    return load()
  } catch {
    return { ...defaults }
  }
}

/** The settings in use. */
export const settings = reactive(loadSafely())

watch(settings, () => write(local, storageKey, JSON.stringify(settings)))

/** A key belongs to the server it was typed in for: it must never travel to another one. */
function keyName(baseURL: string): string {
  return `vue-llm-playground:key:${new URL(baseURL, location.href).origin}`
}

/** The API key for a server: kept for this tab's session only. */
export function readApiKey(baseURL: string): string {
  return URL.canParse(baseURL, location.href) ? (read(session, keyName(baseURL)) ?? '') : ''
}

/** Keeps the API key of a server until the tab is closed; an empty one is removed. */
export function writeApiKey(baseURL: string, key: string): void {
  if (URL.canParse(baseURL, location.href)) write(session, keyName(baseURL), key)
}

/** The preset that these settings are: the one of this model, where several share a server. */
export function presetOf({
  wire,
  baseURL,
  model,
}: Pick<Settings, 'wire' | 'baseURL' | 'model'>): Preset | undefined {
  const same = presets.filter((one) => one.wire === wire && one.baseURL === baseURL)
  return same.find((one) => one.model === model) ?? same[0]
}

/** A short name for where the answers come from. */
export function serverName(baseURL: string): string {
  const preset = presets.find((one) => one.baseURL === baseURL)
  if (preset) return preset.name
  return URL.canParse(baseURL, location.href) ? new URL(baseURL, location.href).host : baseURL
}
