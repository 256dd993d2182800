/** One message of a Chat Completions request. */
export interface WireMessage {
  role: string
  content: unknown
  tool_calls?: { id: string; type: string; function: { name: string; arguments: string } }[]
  tool_call_id?: string
}

/** What a strict server refuses in a transcript; nothing where it would take it. */
export function transcriptProblems(messages: readonly WireMessage[]): string[] {
  const problems: string[] = []
  const seen = new Set<string>()
  let open: string[] = []
  for (const { role, content, tool_calls = [], tool_call_id } of messages) {
    if (role === 'tool') {
      if (open.shift() !== tool_call_id) {
        problems.push(`tool message ${tool_call_id} does not follow its call in order`)
      }
      if (typeof content !== 'string') problems.push(`tool message ${tool_call_id} without text`)
      continue
    }
    if (open.length) problems.push(`tool_call_ids did not have response messages: ${open}`)
    if (role === 'assistant' && !content && !tool_calls.length) problems.push('empty assistant')
    open = tool_calls.map(({ id }) => id)
    for (const { id, function: called } of tool_calls) {
      if (seen.has(id)) problems.push(`call id ${id} used twice`)
      seen.add(id)
      if (!isObjectText(called.arguments)) problems.push(`arguments of ${id} are no JSON object`)
    }
  }
  if (open.length) problems.push(`tool_call_ids did not have response messages: ${open}`)
  if (!['user', 'tool'].includes(messages.at(-1)?.role ?? '')) {
    problems.push('the last message is neither of a user nor of a tool')
  }
  return problems
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
