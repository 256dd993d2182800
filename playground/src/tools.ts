import { defineTool } from 'vue-llm'

/** Waits like a service would; rejects as soon as the call is aborted. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

const skies = ['clear', 'partly cloudy', 'overcast', 'light rain', 'showers'] as const

/** The same city always has the same weather here: nobody should take it for a real forecast. */
function inventWeather(city: string) {
  let seed = 7
  for (const letter of city.toLowerCase()) seed = (seed * 31 + letter.charCodeAt(0)) % 9973
  return {
    city,
    temperature: (seed % 33) - 4,
    unit: 'celsius',
    condition: skies[seed % skies.length] ?? 'clear',
    humidity: 35 + (seed % 55),
  }
}

/** What `get_weather` returns. */
export type Weather = ReturnType<typeof inventWeather>

/** What a tool tells while it runs. */
export interface ToolProgress {
  label: string
  percent: number
}

// #region source
/** Runs in the browser by itself, and tells how far it is. */
export const getWeather = defineTool({
  name: 'get_weather',
  description: 'Gets the current weather of a city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
  },
  async execute({ city }, { signal, progress }) {
    const steps: ToolProgress[] = [
      { label: 'Looking for a station', percent: 20 },
      { label: 'Asking the station', percent: 55 },
      { label: 'Reading the sky', percent: 85 },
    ]
    for (const step of steps) {
      progress(step)
      await pause(260, signal)
    }
    return inventWeather(city)
  },
})

// #endregion

const allFiles = ['report.txt', 'notes.md', 'draft.txt', 'holiday.jpg']
let files = [...allFiles]

/** Puts the pretend files back, for a new chat. */
export function restoreFiles(): void {
  files = [...allFiles]
}

/** Deletes a pretend file, once a person has allowed it. */
export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Deletes a file for good. A person is asked first.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Path of the file' } },
    required: ['path'],
  },
  needsApproval: true,
  async execute({ path }, { signal }) {
    await pause(400, signal)
    if (!files.includes(path)) {
      throw new Error(`there is no file "${path}"; there are ${files.join(', ') || 'none left'}`)
    }
    files = files.filter((file) => file !== path)
    return { deleted: path, left: files.length }
  },
})

// #region source
/** Has no `execute`: a person answers it, in the card that is drawn for the call. */
export const askColor = defineTool({
  name: 'ask_color',
  description: 'Asks the user to pick a color and returns it.',
  parameters: {
    type: 'object',
    properties: { question: { type: 'string', description: 'What the color is for' } },
    required: ['question'],
  },
})

// #endregion

/** Always fails: the model reads why, and says so. */
const unstableService = defineTool({
  name: 'unstable_service',
  description: 'Asks a service that never answers, to show what a failing tool looks like.',
  parameters: { type: 'object', properties: { query: { type: 'string' } } },
  async execute(_args, { signal }): Promise<never> {
    await pause(700, signal)
    throw new Error('the service answered 503: try again later')
  },
})

/** What the model may call in the playground. */
export const tools = [getWeather, deleteFile, askColor, unstableService] as const
