/** The text that an answer's events carry, as the model wrote it. */
export function textOf(answer: string): string {
  const events = answer.matchAll(/^data: (\{.*\})\n/gm)
  return [...events].map(([, data = '']) => contentOf(data)).join('')
}

interface Event {
  choices?: { delta?: { content?: string } }[]
}

function contentOf(data: string): string {
  const { choices } = JSON.parse(data) as Event
  return choices?.[0]?.delta?.content ?? ''
}
