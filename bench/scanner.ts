import type { AnyTool, Chunk, Provider } from 'vue-llm'
import {
  deepseek,
  glm,
  harmony,
  hermes,
  kimi,
  llamaJson,
  llamaPythonic,
  mistral,
  qwen,
  withTextToolCalls,
} from 'vue-llm/dialects'
import { createOpenAIProvider } from 'vue-llm/providers'
import { medians, ratio, type Row } from './measure'

const tools: AnyTool[] = [
  { name: 'f', parameters: { type: 'object', properties: { x: { type: 'string' } } } },
]
const dialects = [qwen, hermes, glm, mistral, kimi, deepseek, harmony, llamaJson, llamaPythonic]
const request = { model: 'm', messages: [], tools, signal: new AbortController().signal }
const MiB = 2 ** 20

/** A text cut into pieces of one size. */
const cut = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  )

/** Plays pieces of text, each as a chunk of its own. */
const playing = (pieces: readonly string[]): Provider => ({
  name: 'played',
  async *stream() {
    for (const text of pieces) yield { type: 'text-delta', text } satisfies Chunk
    yield { type: 'step-end', finishReason: 'stop' } satisfies Chunk
  },
})

/** Plays pieces of text as the bytes of Chat Completions. */
const sending = (pieces: readonly string[], textToolCalls?: false): Provider => {
  const encoder = new TextEncoder()
  const events = pieces.map((content) =>
    encoder.encode(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`),
  )
  const fetch = async () => {
    let next = 0
    return new Response(
      new ReadableStream({
        pull(controller) {
          const event = events[next++]
          if (event) controller.enqueue(event)
          else controller.close()
        },
      }),
    )
  }
  return createOpenAIProvider({ fetch, textToolCalls, emptyRoundFallback: false })
}

async function drain(provider: Provider): Promise<void> {
  for await (const _ of provider.stream(request));
}

/** Values of 1 MiB that reach into every part of a dialect, and texts full of marks. */
const long: Record<string, (filler: string) => string> = {
  'no marks': (filler) => filler,
  qwen: (filler) =>
    `<tool_call>\n<function=f>\n<parameter=x>\n${filler}\n</parameter>\n</function>\n</tool_call>`,
  hermes: (filler) => `<tool_call>{"name":"f","arguments":{"x":"${filler}"}}</tool_call>`,
  glm: (filler) => `<tool_call>f<arg_key>x</arg_key><arg_value>${filler}</arg_value></tool_call>`,
  mistral: (filler) => `[TOOL_CALLS]f[ARGS]{"x":"${filler}"}`,
  kimi: (filler) =>
    `<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{"x":"${filler}"}<|tool_call_end|>`,
  deepseek: (filler) => `<｜tool▁call▁begin｜>f<｜tool▁sep｜>{"x":"${filler}"}<｜tool▁call▁end｜>`,
  harmony: (filler) => `<|channel|>commentary to=functions.f<|message|>{"x":"${filler}"}<|call|>`,
  llamaJson: (filler) => `{"name":"f","parameters":{"x":"${filler}"}}`,
  llamaPythonic: (filler) => `[f(x="${filler}")]`,
  'brackets only': (filler) => '<'.repeat(filler.length),
  'openers only': (filler) => '<tool_call>'.repeat(filler.length / 11),
  'closers in a value': (filler) =>
    `<tool_call><function=f><parameter=x>${'</parameter>'.repeat(filler.length / 12)}</tool_call>`,
}

/**
 * What looking for calls costs where there are none, and where there is nothing else. Off the wire it should stay under
 * a quarter more; a bare generator shows the cost of one generator around another, which is most of it. Twice the text
 * should cost twice as much.
 */
export async function* scanner(): AsyncGenerator<Row> {
  for (const size of [4, 16, 64]) {
    const pieces = cut('Some words, a < b, as they come. '.repeat(64 * size), size)
    const contenders = [sending(pieces, false), sending(pieces), playing(pieces)]
    const bare = withTextToolCalls(playing(pieces))
    const [wire = 0, scanned = 0, played = 0, wrapped = 0] = await medians(
      [...contenders, bare].map((provider) => () => drain(provider)),
    )
    const each = 1e6 / pieces.length
    const what = `a delta of ${size} characters`
    const without = 'without the scanner'
    yield {
      what: `${what}, off the wire`,
      value: scanned * each,
      unit: 'ns',
      against: ratio(scanned, wire, without),
    }
    yield {
      what: `${what}, from a bare generator`,
      value: wrapped * each,
      unit: 'ns',
      against: ratio(wrapped, played, without),
    }
  }
  for (const [name, toText] of Object.entries(long)) {
    const [half = 0, whole = 0] = await medians(
      [MiB / 2, MiB].map((length) => {
        const pieces = cut(toText('word '.repeat(length / 5)), 1)
        const provider = withTextToolCalls(playing(pieces), { dialects })
        return () => drain(provider)
      }),
      3,
      0,
    )
    yield {
      what: `1 MiB one code unit at a time: ${name}`,
      value: whole,
      unit: 'ms',
      against: ratio(whole, half, 'half of it'),
    }
  }
}
