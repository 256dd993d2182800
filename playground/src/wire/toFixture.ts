import type { WireEntry, WireKind } from './wireLog'

/** The values of one kind by their groups, of which each has some, in order. */
function groupsOf(entries: readonly WireEntry[], kind: WireKind): Map<number, unknown[]> {
  const groups = new Map<number, unknown[]>()
  for (const { kind: own, group, value } of entries) {
    if (own !== kind || value === undefined) continue
    groups.set(group, [...(groups.get(group) ?? []), value])
  }
  return groups
}

const indent = (lines: readonly string[], by: string) =>
  lines.map((line) => `${by}${line},\n`).join('')

const toCode = (value: unknown) => JSON.stringify(value)

/** TypeScript of a scripted provider that plays the recorded chunks again, one round for each request. */
export function toScript(entries: readonly WireEntry[]): string {
  const rounds = [...groupsOf(entries, 'chunk').values()].map(
    (chunks) => `  [\n${indent(chunks.map(toCode), '    ')}  ],\n`,
  )
  return `import { createScriptedProvider } from 'vue-llm/testing'

export const provider = createScriptedProvider([
${rounds.join('')}])
`
}

/** An event's data: JSON as an object, which is shorter to read. */
function toEvent(data: unknown): string {
  try {
    const value: unknown = JSON.parse(String(data))
    return toCode(typeof value === 'object' ? value : data)
  } catch {
    return toCode(data)
  }
}

/** TypeScript of a `fetch` that gives the recorded events again, one answer for each request. */
export function toResponses(entries: readonly WireEntry[]): string {
  const statuses = groupsOf(entries, 'request')
  const answers = [...groupsOf(entries, 'event')].map(([group, events]) => {
    const status = Number(statuses.get(group)?.[0] ?? 200)
    if (status >= 400) {
      const body = toCode(events.join('\n'))
      return `  () => new Response(${body}, { status: ${status} }),\n`
    }
    const done = events.at(-1) === '[DONE]'
    const list = indent((done ? events.slice(0, -1) : events).map(toEvent), '      ')
    return `  () =>\n    sseResponse([\n${list}    ]${done ? '' : ', { done: false }'}),\n`
  })
  return `import { sseResponse } from 'vue-llm/testing'

const answers = [
${answers.join('')}]

export const fetch = async () => answers.shift()?.() ?? new Response('no more', { status: 400 })
`
}
