/** The piece of an event that says something. */
export interface Delta {
  content?: string | null
  tool_calls?: { id?: string; function: { arguments: string } }[]
}

interface Event {
  choices: [{ delta: Delta }]
}

/** Takes the text of an event stream as it comes, and gives what each event says. */
export function createFeed(take: (delta: Delta) => void): (text: string) => void {
  let rest = ''
  return (text) => {
    rest += text
    let from = 0
    for (let end; (end = rest.indexOf('\n', from)) >= 0; from = end + 1) {
      if (!rest.startsWith('data: {', from)) continue
      const { choices } = JSON.parse(rest.slice(from + 6, end)) as Event
      take(choices[0].delta)
    }
    rest = rest.slice(from)
  }
}
