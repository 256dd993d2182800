import { computed, ref, shallowRef, watch } from 'vue'
import { isLLMError } from 'vue-llm'
import { parseToolDefinitions, type HttpToolDefinition } from 'vue-llm/http-tools'
import example from '../../packages/vue-llm/tools.example.json'
import { findPlaces, lineOf, placeOf, type JSONPlaces, type Place } from './jsonPlaces'

/** Something about the definitions, and where it is. */
export interface EditorProblem extends Place {
  kind: 'error' | 'warning'
  /** JSON Pointer; empty for the whole, and where the text is no JSON. */
  path: string
  message: string
  line: number
  column: number
}

interface Reading {
  problems: EditorProblem[]
  /** Missing where there is an error. */
  definitions?: HttpToolDefinition[]
}

/** The guide's tools for a list of items, which ask the service that this page's own server has. */
export const itemsTools = JSON.stringify(
  example
    .filter(({ url }) => url.includes('/api/items'))
    .map((definition) => ({ ...definition, url: definition.url.replace(/^https?:\/\/[^/]+/, '') })),
  undefined,
  2,
)

function toProblem(
  text: string,
  kind: EditorProblem['kind'],
  path: string,
  message: string,
  { start, end }: Place,
): EditorProblem {
  return { kind, path, message, start, end, ...lineOf(text, start) }
}

const byPlace = (a: Place, b: Place) => a.start - b.start

/** Reads definitions as they are typed. */
export function readDefinitions(text: string): Reading {
  const found: JSONPlaces = findPlaces(text.replace(/^\ufeff/, ' '))
  if (found.error) {
    const message = `Not valid JSON: ${found.error.message}`
    return { problems: [toProblem(text, 'error', '', message, found.error)] }
  }
  const at = (kind: EditorProblem['kind']) => (problem: { path: string; message: string }) => {
    const { path, message } = problem
    const place = found.places.get(path)
    // Of a field that nobody knows the name is wrong, not the value.
    const isName = message.startsWith('unknown') && place?.key
    return toProblem(text, kind, path, message, isName || placeOf(found, path))
  }
  try {
    const { definitions, warnings } = parseToolDefinitions(text, { baseURL: document.baseURI })
    return { definitions, problems: warnings.map(at('warning')).toSorted(byPlace) }
  } catch (error) {
    if (!isLLMError(error, 'invalid-definition') || !error.errors) throw error
    return { problems: error.errors.map(at('error')).toSorted(byPlace) }
  }
}

const storageKey = 'vue-llm-playground:tools'

function load(): string {
  try {
    return sessionStorage.getItem(storageKey) ?? itemsTools
  } catch {
    return itemsTools
  }
}

/** The text of the definitions, what is wrong with it, and the last definitions that were right. */
export function useToolsEditor() {
  const text = ref(load())
  const reading = computed(() => readDefinitions(text.value))
  const definitions = shallowRef<HttpToolDefinition[]>([])
  watch(
    reading,
    (now) => {
      if (now.definitions) definitions.value = now.definitions
    },
    { immediate: true },
  )
  watch(text, (now) => {
    try {
      sessionStorage.setItem(storageKey, now)
    } catch {
      // Without storage the text holds until the page is closed.
    }
  })
  const ofKind = (kind: EditorProblem['kind']) =>
    reading.value.problems.filter((problem) => problem.kind === kind)
  return {
    text,
    definitions,
    errors: computed(() => ofKind('error')),
    warnings: computed(() => ofKind('warning')),
  }
}
