import { parseLiteral } from './literal'
import { findTool, takeRest, takeSpace, takeWord } from './text'
import type { DialectInput, DialectReader, ToolCallDialect } from './types'

/**
 * The Python calls of Llama 3.2 and 4 (their prompt formats ask for `[get_weather(city="Oslo"), now()]`): the answer
 * begins with the list, or `<|python_start|>` stands before it. The first name must be that of a tool.
 */
export const llamaPythonic: ToolCallDialect = {
  name: 'llamaPythonic',
  open: { '[': '', '<|python_start|>': '<|python_end|>' },
  *read(input, open) {
    if (open === '[' ? !input.isFirst : !(yield* takeWord(input, '['))) return undefined
    yield* takeSpace(input)
    const isBeginning = () => input.tools.some(({ name }) => name.startsWith(input.text))
    while (!input.isLast && isBeginning()) yield
    if (open !== '[' && input.isLast && isBeginning()) return false
    if (!findTool(input, takeName(input)) || input.text[0] !== '(') return undefined
    input.rewind()
    if (open !== '[') yield* takeWord(input, '[')
    yield* takeSpace(input)
    if (yield* takeCalls(input)) return true
    if (open === '[') yield* takeRest(input)
    return false
  },
}

const takeName = (input: DialectInput): string => input.take(/^[\w.]*/.exec(input.text)?.[0].length)

/** Waits for what comes behind a name. */
function* waitForName(input: DialectInput): DialectReader<string> {
  yield* takeSpace(input)
  let name = ''
  while ((name += takeName(input)) && !input.text && !input.isLast) yield
  return name
}

function* takeCalls(input: DialectInput): DialectReader<boolean> {
  do {
    const name = yield* waitForName(input)
    if (!input.start(name)) return false
    let separator = '{'
    let isWhole = input.take(1) === '('
    yield* takeSpace(input)
    while (isWhole && input.text[0] !== ')') {
      const key = yield* waitForName(input)
      yield* takeSpace(input)
      const sign = input.take(1)
      const value = parseLiteral((yield* takeLiteral(input)).trim())
      isWhole = !!key && sign === '=' && value !== undefined
      if (!isWhole) break
      input.grow(`${separator}${JSON.stringify(key)}:${JSON.stringify(value)}`)
      separator = ','
      if (yield* takeWord(input, ',')) yield* takeSpace(input)
    }
    if (!isWhole || !input.take(1)) {
      input.cancel()
      return false
    }
    input.grow(separator === '{' ? '{}' : '}')
    input.end()
    yield* takeSpace(input)
  } while (input.text[0] === ',' && input.take(1))
  return input.take(1) === ']' || input.isLast
}

/** Takes a value up to what ends an argument. */
function* takeLiteral(input: DialectInput): DialectReader<string> {
  let all = ''
  let depth = 0
  let quote = ''
  let isEscaped = false
  for (;;) {
    const { text } = input
    for (let i = 0; i < text.length; i++) {
      const char = text.charAt(i)
      if (quote) {
        if (!isEscaped && char === quote) quote = ''
        isEscaped = !isEscaped && char === '\\'
      } else if (/["']/.test(char)) quote = char
      else if (/[[{(]/.test(char)) depth++
      else if (!depth && /[,)]/.test(char)) return all + input.take(i)
      else if (/[\])}]/.test(char)) depth--
    }
    all += input.take()
    if (input.isLast) return all
    yield
  }
}
