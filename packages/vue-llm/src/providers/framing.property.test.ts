import { createParser } from 'eventsource-parser'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { createFraming } from './framing'

type Event = [text: string, name: string | undefined]

/** The events of a body as the framing reads them, with those of an unfinished end. */
function read(pieces: readonly string[]): Event[] {
  const events: Event[] = []
  const framing = createFraming((text, name) => events.push([text, name]) > 0)
  for (const piece of pieces) framing.feed(piece)
  framing.end()
  return events
}

/** The same by the parser that others trust, given blank lines where the framing ends by itself. */
function expected(body: string): Event[] {
  const events: Event[] = []
  const parser = createParser({ onEvent: ({ data, event }) => events.push([data, event]) })
  parser.feed(`${body.trimStart()}\n\n`)
  return events
}

const anyLine = fc.oneof(
  { arbitrary: fc.string({ unit: 'grapheme' }), weight: 1 },
  {
    arbitrary: fc.stringMatching(/^(data|event|id|retry|da|)(:?)( {0,2})([ -~ü🦊:]{0,12})$/u),
    weight: 4,
  },
)
const anyBody = fc
  .array(fc.tuple(anyLine, fc.constantFrom('\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n')))
  .map((lines) => lines.flat().join(''))
  // What begins with a bracket is no event stream.
  .filter((body) => !/^\s*[[{]/.test(body))

describe('the framing of events', () => {
  it('gives what another parser gives, wherever the text is cut', () => {
    fc.assert(
      fc.property(anyBody, fc.array(fc.nat()), (body, places) => {
        const cuts = [0, ...places.map((at) => at % (body.length + 1)), body.length]
        cuts.sort((one, other) => one - other)
        const pieces = cuts.slice(1).map((end, index) => body.slice(cuts[index], end))
        expect(read(pieces)).toEqual(expected(body))
        expect(read(body.split(''))).toEqual(expected(body))
      }),
      { numRuns: propertyRuns() },
    )
  })

  it('reads a line in many pieces in linear time', () => {
    const piece = 'x'.repeat(2000)
    const events = read(['data: ', ...Array<string>(10_000).fill(piece), '\n\n'])
    expect(events.map(([text]) => text.length)).toEqual([2000 * 10_000])
  })
})
