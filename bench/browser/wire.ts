// What a model says in this bench, and its events as Chat Completions sends them; for the page and for its server.

/** One answer: pieces of text, or a call whose arguments come in pieces. */
export interface Answer {
  kind: 'text' | 'args'
  /** How many pieces a text has, how many characters the arguments are to have. */
  size: number
  /** Characters of one piece of the arguments. */
  piece?: number
  shape?: Shape
  /** Pieces a second; without it as fast as they can be taken. */
  rate?: number
}

const shapes = {
  rows: (size: number) => ({ title: 'Report', items: toRows(size) }),
  keys: (size: number) =>
    Object.fromEntries(Array.from({ length: size / 16 }, (_, i) => [`key${10_000 + i}`, i % 1000])),
  numbers: (size: number) => ({
    values: Array.from({ length: size / 6 }, (_, i) => 10_000 + ((i * 7919) % 90_000)),
  }),
}

/** What arguments look like: a list of rows, one wide object, one flat list of numbers. */
export type Shape = keyof typeof shapes

/** A row of the arguments of shape `rows`. */
export interface Row {
  id: number
  name: string
  note: string
  tags: string[]
  at: { x: number; y: number[] }
}

function toRows(size: number): Row[] {
  const rows: Row[] = []
  for (let id = 0, length = 40; length < size; id++) {
    const row = {
      id,
      name: `row number ${id}`,
      note: `it is "quoted",\nand goes on: ${'some more words '.repeat(3)}`,
      tags: ['first', 'süß'],
      at: { x: id / 8, y: [id, 2, 3] },
    }
    rows.push(row)
    length += JSON.stringify(row).length + 1
  }
  return rows
}

/** The text or the arguments of an answer, whole. */
export function wholeOf({ kind, size, shape = 'rows' }: Answer): string {
  return kind === 'text' ? piecesOfText(size).join('') : JSON.stringify(shapes[shape](size))
}

/** Words of three characters and a space, with a little of Markdown among them. */
const piecesOfText = (count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    i % 50 === 49 ? '\n\n' : i % 10 === 9 ? '**b** ' : `${100 + ((i * 7919) % 900)} `,
  )

function cut(text: string, size: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

/** An event of an event stream. */
const toEvent = (delta: object, finishReason: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_796_000_000,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })}\n\n`

const toCall = (call: object): string => toEvent({ tool_calls: [{ index: 0, ...call }] })

/** The events of an answer: what opens it, its pieces, what closes it. */
export function eventsOf(answer: Answer): Record<'head' | 'body' | 'tail', string[]> {
  const done = 'data: [DONE]\n\n'
  if (answer.kind === 'text') {
    return {
      head: [toEvent({ role: 'assistant', content: '' })],
      body: piecesOfText(answer.size).map((content) => toEvent({ content })),
      tail: [toEvent({}, 'stop'), done],
    }
  }
  const begin = { id: 'call_1', type: 'function', function: { name: 'report', arguments: '' } }
  return {
    head: [toCall(begin)],
    body: cut(wholeOf(answer), answer.piece ?? 16).map((text) =>
      toCall({ function: { arguments: text } }),
    ),
    tail: [toEvent({}, 'tool_calls'), done],
  }
}
