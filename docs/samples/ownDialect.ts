import type { ToolCallDialect } from 'vue-llm/dialects'

/** Reads `[[get_weather {"city":"Oslo"}]]`. */
export const brackets: ToolCallDialect = {
  name: 'brackets',
  open: { '[[': ']]' },
  *read(input) {
    while (!input.text.includes(']]')) {
      // What is cut is no call; what only has not come yet is waited for.
      if (input.isLast) return false
      yield
    }
    const [, name = '', json = '{}'] =
      /^(\w+)\s*(\{.*\})?$/s.exec(input.text.split(']]')[0] ?? '') ?? []
    if (!input.start(name)) return undefined
    input.take(input.text.indexOf(']]'))
    input.grow(json)
    input.end()
    return true
  },
}
