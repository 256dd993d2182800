import type { ToolCallDialect } from 'vue-llm/dialects'

/** Reads `[[get_weather {"city":"Oslo"}]]`. */
export const brackets: ToolCallDialect = {
  name: 'brackets',
  open: { '[[': ']]' },
  *read(input) {
    for (let end = -1; ;) {
      end = input.text.indexOf(']]', end + 1)
      if (end < 0) {
        // What is cut is no call; what only has not come yet is waited for.
        if (input.isLast) return false
        yield
        continue
      }
      const [, name = '', json = '{}'] = /^(\w+)\s*(\{.*)?$/s.exec(input.text.slice(0, end)) ?? []
      // A `]]` may stand in the arguments, too: they end where they are JSON.
      if (name && !isJSON(json)) continue
      if (!input.start(name)) return undefined
      input.take(end)
      input.grow(json)
      input.end()
      return true
    }
  },
}

function isJSON(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
