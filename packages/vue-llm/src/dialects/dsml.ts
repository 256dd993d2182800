import { parseLiteral } from './literal'
import { escapeText, isCutWord, takeSpace, takeUntil, takeWord } from './text'
import type { DialectInput, DialectReader } from './types'

const invoke = '<｜DSML｜invoke name="'
const parameter = '<｜DSML｜parameter name="'

/** What opens a block. @internal */
export const openDSML: readonly string[] = ['<｜DSML｜function_calls>', '<｜DSML｜tool_calls>']

/** What closes it. @internal */
export const closeDSML = (open: string): string => open.replace('<', '</')

/**
 * Takes a call of DeepSeek V3.2: each argument in a tag of its own, as text where `string="true"`, else as JSON.
 * Returns as a dialect does.
 * @internal
 */
export function* takeDSML(input: DialectInput): DialectReader<boolean | undefined> {
  if (!(yield* takeWord(input, invoke))) return isCutWord(input, invoke) ? false : undefined
  if (!input.start(yield* takeText(input, '">'))) return false
  let separator = '{'
  yield* takeSpace(input)
  while (yield* takeWord(input, parameter)) {
    const [name = '', isString] = (yield* takeText(input, '">')).split('" string="')
    input.grow(`${separator}${JSON.stringify(name)}:`)
    separator = ','
    if (isString === 'true') {
      input.grow('"')
      yield* takeUntil(input, [closeDSML('<｜DSML｜parameter>')], (text) =>
        input.grow(escapeText(text)),
      )
      input.grow('"')
    } else {
      const text = yield* takeText(input, closeDSML('<｜DSML｜parameter>'))
      input.grow(JSON.stringify(parseLiteral(text) ?? (text.trim() === 'null' ? null : text)))
    }
    yield* takeSpace(input)
  }
  const end = closeDSML('<｜DSML｜invoke>')
  if (!(yield* takeWord(input, end)) && !input.isLast) {
    input.cancel()
    return false
  }
  if (isCutWord(input, parameter, end)) input.take()
  input.grow(separator === '{' ? '{}' : '}')
  input.end()
  return true
}

function* takeText(input: DialectInput, word: string): DialectReader<string> {
  let all = ''
  yield* takeUntil(input, [word], (text) => (all += text))
  return all
}
