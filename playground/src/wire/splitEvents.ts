/** Takes the text of an answer as it comes; gives the events that are whole, each as it was written. */
export type SplitEvents = (text: string) => string[]

/** Cuts an answer into the events of an event stream, or into lines where it begins with JSON. */
export function createSplitter(): SplitEvents {
  let rest = ''
  let end: RegExp | undefined
  return (text) => {
    rest += text
    end ??= /\S/.test(rest) ? (/^\s*[[{]/.test(rest) ? /\r?\n/ : /\r?\n\r?\n|\r\r/) : undefined
    if (!end) return []
    const events = rest.split(end)
    rest = events.pop() ?? ''
    return events.filter((event) => event.trim())
  }
}

/** The data of an event, if it has any: comments and bare ids have none. */
export function dataOf(event: string): string | undefined {
  if (/^\s*[[{]/.test(event)) return event
  const lines = event.split(/\r\n|\r|\n/).filter((line) => line.startsWith('data'))
  return lines.length ? lines.map((line) => line.replace(/^data:? ?/, '')).join('\n') : undefined
}
