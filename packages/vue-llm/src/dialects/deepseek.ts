import { closeDSML, openDSML, takeDSML } from './dsml'
import { takeArgs } from './json'
import { isCutWord, takeSpace, takeUntil, takeWord } from './text'
import type { ToolCallDialect } from './types'

const section = '<｜tool▁calls▁begin｜>'
const sectionEnd = '<｜tool▁calls▁end｜>'
const call = '<｜tool▁call▁begin｜>'
const callEnd = '<｜tool▁call▁end｜>'

/**
 * The tokens of DeepSeek (the chat templates of V3 and R1, and of V3.1): between the tokens that begin and end a call
 * stands `function<｜tool▁sep｜>get_weather` and the arguments in a code fence, or `get_weather<｜tool▁sep｜>{…}`. From
 * V3.2 on (its encoding guide) calls are `<｜DSML｜invoke name="get_weather">` with a tag for each argument.
 */
export const deepseek: ToolCallDialect = {
  name: 'deepseek',
  open: /* @__PURE__ */ (() => ({
    [section]: sectionEnd,
    [call]: callEnd,
    [sectionEnd]: '',
    ...Object.fromEntries(openDSML.map((word) => [word, closeDSML(word)])),
  }))(),
  *read(input, open) {
    // An end without its beginning.
    if (open === sectionEnd) return true
    if (openDSML.includes(open)) return yield* takeDSML(input)
    if (open === section && !(yield* takeWord(input, call))) {
      return isCutWord(input, call) ? false : undefined
    }
    let name = ''
    const add = (text: string) => (name += text)
    yield* takeUntil(input, ['<｜tool▁sep｜>'], add)
    yield* takeSpace(input)
    if (name.trim() === 'function' && input.text[0] !== '{') {
      name = ''
      yield* takeUntil(input, ['\n'], add)
      yield* takeSpace(input)
      yield* takeWord(input, '```json')
    }
    if (!(yield* takeArgs(input, name.trim()))) return false
    yield* takeSpace(input)
    if (yield* takeWord(input, '```')) yield* takeSpace(input)
    if (open === section) yield* takeWord(input, callEnd)
    if (isCutWord(input, '```', callEnd)) input.take()
    return true
  },
}
