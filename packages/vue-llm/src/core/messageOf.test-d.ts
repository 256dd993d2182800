import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from './defineTool'
import type { MessageOf, ToolCallPartOf } from './schemaTypes'
import type { AnyTool, Message, ToolCallPart } from './types'

/** Stands in for `useChat`. */
declare function chat<const TTools extends readonly AnyTool[]>(options: {
  tools?: TTools
}): MessageOf<TTools>[]

/** The tool calls of a chat's messages. */
declare function callsOf<Call extends ToolCallPart>(messages: Message<Call>[]): Call

const getWeather = defineTool({
  name: 'get_weather',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' }, unit: { enum: ['celsius', 'kelvin'] } },
    required: ['city'],
  },
  execute: async ({ city }) => ({ temp: city.length }),
})

const getTime = defineTool({
  name: 'get_time',
  parameters: z.object({ zone: z.string().default('UTC'), at: z.coerce.date() }),
  execute: ({ zone, at }) => `${zone} ${at.getTime()}`,
})

const explicit = defineTool<{ city: string }, { temp: number }>({
  name: 'get_weather',
  description: 'Get the current weather for a city',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  execute: ({ city }, { signal }) =>
    fetch(`/api/weather?city=${city}`, { signal }).then((response) => response.json()),
})

type WeatherArgs = { city: string; unit?: 'celsius' | 'kelvin' }

describe('messages of inferred tools', () => {
  const call = callsOf(chat({ tools: [getWeather, getTime] }))

  it('narrow by toolName, then by state', () => {
    if (call.toolName !== 'get_weather') return
    expectTypeOf(call.result).toEqualTypeOf<{ temp: number } | undefined>()
    if (call.state === 'result') {
      expectTypeOf(call.result).toEqualTypeOf<{ temp: number }>()
      expectTypeOf(call.args).toEqualTypeOf<Readonly<WeatherArgs>>()
    } else {
      expectTypeOf(call.result).toEqualTypeOf<undefined>()
    }
    if (call.state === 'pending' || call.state === 'running') {
      expectTypeOf(call.args).toEqualTypeOf<Readonly<WeatherArgs>>()
    }
    if (call.state === 'error') expectTypeOf(call.error).toEqualTypeOf<string>()
  })

  it('have arguments that may be missing or cut while they arrive, and where a call failed', () => {
    if (call.toolName !== 'get_weather') return
    if (call.state === 'streaming' || call.state === 'error') {
      expectTypeOf(call.args).toEqualTypeOf<{ readonly city?: string; readonly unit?: string }>()
    }
    expectTypeOf(call.args.city).toEqualTypeOf<string | undefined>()
    const stops = {
      type: 'array',
      items: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] },
    } as const
    const trip = defineTool({
      name: 'trip',
      parameters: { type: 'object', properties: { stops }, required: ['stops'] },
    })
    const part = callsOf(chat({ tools: [trip] }))
    if (part.state === 'streaming') {
      expectTypeOf(part.args.stops).toEqualTypeOf<{ readonly at?: number }[] | undefined>()
    }
    if (part.state === 'pending') expectTypeOf(part.args.stops).toEqualTypeOf<{ at: number }[]>()
  })

  it('hold what the model wrote, the input side of a Standard Schema', () => {
    if (call.toolName !== 'get_time' || call.state !== 'result') return
    expectTypeOf(call.args).toEqualTypeOf<{
      readonly zone?: string | undefined
      readonly at: unknown
    }>()
    expectTypeOf(call.result).toEqualTypeOf<string>()
  })

  it('hold null where execute returns nothing', () => {
    const beep = defineTool({ name: 'beep', execute: async () => {} })
    const part = callsOf(chat({ tools: [beep] }))
    expectTypeOf(part.result).toEqualTypeOf<null | undefined>()
    if (part.state === 'result') expectTypeOf(part.result).toEqualTypeOf<null>()
  })

  it('narrow inside a message', () => {
    const messages = chat({ tools: [getWeather, getTime] })
    expectTypeOf(messages).items.toHaveProperty('parts')
    for (const message of messages) {
      for (const part of message.parts) {
        if (part.type === 'tool-call' && part.toolName === 'get_weather') {
          if (part.state === 'result') expectTypeOf(part.result.temp).toEqualTypeOf<number>()
        } else if (part.type === 'text') expectTypeOf(part.text).toEqualTypeOf<string>()
      }
    }
  })

  it('refuse unknown names, keys and early results', () => {
    expectTypeOf(call.toolName).toEqualTypeOf<'get_weather' | 'get_time'>()
    // @ts-expect-error no such tool
    void (call.toolName === 'get_wether')
    if (call.toolName !== 'get_weather') return
    // @ts-expect-error no such argument
    void call.args.town
    // @ts-expect-error not there before state 'result'
    void call.result.temp
    if (call.state !== 'result') return
    // @ts-expect-error no such key in the result
    void call.result.humidity
  })
})

describe('messages of other tools', () => {
  it('are typed by explicit type parameters, whatever the name', () => {
    const call = callsOf(chat({ tools: [explicit] }))
    expectTypeOf(call.toolName).toEqualTypeOf<string>()
    if (call.state === 'result') {
      expectTypeOf(call.args).toEqualTypeOf<{ readonly city: string }>()
      expectTypeOf(call.result).toEqualTypeOf<{ temp: number }>()
    }
  })

  it('accept arguments that are an interface', () => {
    interface Args {
      city: string
    }
    const tool = defineTool<Args, number, 'a'>({ name: 'a' })
    const messages = chat({ tools: [tool] })
    expectTypeOf(messages).toExtend<Message[]>()
    const call = callsOf(messages)
    if (call.state === 'pending') expectTypeOf(call.args).toEqualTypeOf<Readonly<Args>>()
  })

  it('are typed by what a plain object in the list says', () => {
    const call = callsOf(
      chat({
        tools: [
          getWeather,
          {
            name: 'confirm',
            description: 'asks a person',
            parameters: {
              type: 'object',
              properties: { text: { type: 'string' } },
              required: ['text'],
            },
          },
          { name: 'roll', execute: async ({ sides }: { sides: number }) => sides },
          { name: 'bare' },
        ],
      }),
    )
    expectTypeOf(call.toolName).toEqualTypeOf<'get_weather' | 'confirm' | 'roll' | 'bare'>()
    if (call.toolName === 'confirm' && call.state === 'result') {
      expectTypeOf(call.args).toEqualTypeOf<{ readonly text: string }>()
      expectTypeOf(call.result).toEqualTypeOf<unknown>()
    }
    if (call.toolName === 'roll' && call.state === 'result') {
      expectTypeOf(call.args).toEqualTypeOf<{ readonly sides: number }>()
      expectTypeOf(call.result).toEqualTypeOf<number>()
    }
    if (call.toolName === 'bare' && call.state === 'result') {
      expectTypeOf(call.args).toEqualTypeOf<Readonly<Record<string, unknown>>>()
    }
  })

  it('mix: explicit tools join, as their name may be any', () => {
    const call = callsOf(chat({ tools: [getTime, explicit] }))
    if (call.toolName !== 'get_time' || call.state !== 'result') return
    expectTypeOf(call.result).toEqualTypeOf<string | { temp: number }>()
  })

  it('work the same for readonly and for mutable lists', () => {
    const fixed = [getWeather, getTime] as const
    type Calls = ToolCallPartOf<readonly [typeof getWeather, typeof getTime]>
    expectTypeOf(callsOf(chat({ tools: fixed }))).toEqualTypeOf<Calls>()
    const list = [getWeather, getTime]
    expectTypeOf(callsOf(chat({ tools: list }))).toEqualTypeOf<Calls>()
  })

  it('are general without tools, or with tools of no known type', () => {
    const plain = [{ name: 'a', description: 'b' }]
    const tools: AnyTool[] = [getWeather, getTime, explicit, ...plain]
    expectTypeOf(chat({})).toEqualTypeOf<Message[]>()
    expectTypeOf(chat({ tools: [] })).toEqualTypeOf<Message[]>()
    expectTypeOf(chat({ tools })).toEqualTypeOf<Message[]>()
    expectTypeOf(chat({ tools: plain })).toEqualTypeOf<Message[]>()
    expectTypeOf<ToolCallPartOf<readonly AnyTool[]>>().toEqualTypeOf<ToolCallPart>()
    expectTypeOf<ToolCallPartOf<[typeof getTime, AnyTool]>['toolName']>().toEqualTypeOf<string>()
  })
})

describe('typed messages', () => {
  it('can stand where a message is wanted, in generic code too', () => {
    expectTypeOf(chat({ tools: [getWeather, getTime, explicit] })).toExtend<readonly Message[]>()
    expectTypeOf<ToolCallPartOf<[typeof getTime]>>().toExtend<ToolCallPart>()
    const widen = <T extends readonly AnyTool[]>(given: MessageOf<T>[]): readonly Message[] => given
    void widen
  })

  it('cannot be made of any tool call', () => {
    const call = {} as ToolCallPart
    expectTypeOf(call).not.toExtend<ToolCallPartOf<[typeof getWeather]>>()
    // @ts-expect-error a tool needs a name
    chat({ tools: [{ description: 'no name' }] })
  })
})
