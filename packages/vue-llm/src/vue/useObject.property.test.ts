import { jsonValue } from '#test/jsonValue'
import { propertyRuns } from '#test/propertyRuns'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScriptedProvider, finish, text } from '../testing'
import { useObject } from './useObject'

const runs = propertyRuns(150)

/** A text cut at these places, taken modulo its length. */
function pieces(whole: string, places: readonly number[]): string[] {
  const cuts = [...new Set(places.map((place) => place % (whole.length + 1)))].sort((a, b) => a - b)
  return [0, ...cuts].map((from, index) => whole.slice(from, cuts[index]))
}

const toDelta = (argsText: string) =>
  ({ type: 'tool-call-delta', toolCallId: 'c', argsText }) as const
const frames = {
  text: (json: string) => json,
  fence: (json: string) => `So:\n\`\`\`json\n${json}\n\`\`\`\nDone {or "not"}`,
}

describe('whatever object it is, wherever its stream is cut', () => {
  const anyObject = fc.dictionary(fc.string({ unit: 'grapheme' }), jsonValue({ maxDepth: 3 }))
  const places = fc.array(fc.nat(2000), { maxLength: 12 })

  it.each(['text', 'fence', 'call'] as const)('the object is the same, as %s', async (form) => {
    await fc.assert(
      fc.asyncProperty(anyObject, places, fc.boolean(), async (value, cuts, pretty) => {
        const json = JSON.stringify(value, null, pretty ? 2 : 0)
        const script =
          form === 'call'
            ? [
                { type: 'tool-call-start', toolCallId: 'c', toolName: 'answer' } as const,
                ...pieces(json, cuts).map(toDelta),
                { type: 'tool-call-end', toolCallId: 'c' } as const,
              ]
            : pieces(frames[form](json), cuts).map(text)
        const provider = createScriptedProvider([[...script, finish()]])
        const { object, submit } = useObject({
          provider,
          schema: { type: 'object' },
          mode: form === 'call' ? 'tool' : 'json',
        })
        const result = await submit('go')
        // As JSON, which tells an own `__proto__` and a lost key.
        expect(JSON.stringify(result)).toBe(JSON.stringify(JSON.parse(json)))
        expect(JSON.stringify(object.value)).toBe(JSON.stringify(result))
      }),
      { numRuns: runs },
    )
  })
})
