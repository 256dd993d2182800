import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { defineTool } from './defineTool'
import type { AnyTool, JSONSchema, Tool, ToolContext } from './types'

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

describe('defineTool, inferred', () => {
  it('reads name, arguments and result from one literal', () => {
    expectTypeOf(getWeather).toEqualTypeOf<Tool<WeatherArgs, { temp: number }, 'get_weather'>>()
  })

  it('types the parameters of every function in the literal, in any order', () => {
    defineTool({
      name: 'a',
      needsApproval: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ n: number }>()
        return args.n > 3
      },
      async execute(args, context) {
        expectTypeOf(args).toEqualTypeOf<{ n: number }>()
        expectTypeOf(context).toEqualTypeOf<ToolContext>()
        return args.n
      },
      parameters: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      toModelOutput: (result) => {
        expectTypeOf(result).toEqualTypeOf<number>()
        return result.toFixed()
      },
    })
  })

  it('takes a schema from a variable: literal as const, wide without', () => {
    const literal = { type: 'object', properties: { a: { type: 'string' } } } as const
    const exact = defineTool({ name: 'a', parameters: literal })
    expectTypeOf(exact).toEqualTypeOf<Tool<{ a?: string }, unknown, 'a'>>()
    const wide: JSONSchema = literal
    const any = defineTool({ name: 'a', parameters: wide, execute: (args) => args['a'] })
    expectTypeOf(any).toEqualTypeOf<Tool<Record<string, unknown>, unknown, 'a'>>()
  })

  it('gives execute the output of a Standard Schema', () => {
    defineTool({
      name: 'zod',
      parameters: z.object({ unit: z.enum(['c', 'k']).default('c'), at: z.coerce.date() }),
      execute: (args) => expectTypeOf(args).toEqualTypeOf<{ unit: 'c' | 'k'; at: Date }>(),
    })
    defineTool({
      name: 'valibot',
      parameters: v.object({ unit: v.optional(v.picklist(['c', 'k'])), n: v.number() }),
      execute: (args) =>
        expectTypeOf(args).toEqualTypeOf<{ unit?: 'c' | 'k' | undefined; n: number }>(),
    })
    defineTool({
      name: 'arktype',
      parameters: type({ 'unit?': '"c" | "k"', n: 'number' }),
      execute: (args) => expectTypeOf(args).toEqualTypeOf<{ unit?: 'c' | 'k'; n: number }>(),
    })
    const tool: Tool<{ zone: string; at: Date }, string, 'get_time'> = getTime
    void tool
  })

  it('takes any arguments without parameters, and knows no result without execute', () => {
    const tool = defineTool({ name: 'a', execute: (args) => typeof args['x'] === 'string' })
    expectTypeOf(tool).toEqualTypeOf<Tool<Record<string, unknown>, boolean, 'a'>>()
    const asks = defineTool({ name: 'a', description: 'waits for a person' })
    expectTypeOf(asks).toEqualTypeOf<Tool<Record<string, unknown>, unknown, 'a'>>()
  })

  it('refuses what the schema does not allow', () => {
    const parameters = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    } as const
    // @ts-expect-error no such argument
    defineTool({ name: 'a', parameters, execute: ({ town }) => town })
    // @ts-expect-error an argument of another type
    defineTool({ name: 'a', parameters, execute: ({ city }: { city: number }) => city })
    // @ts-expect-error an argument that the schema does not have
    defineTool({ name: 'a', parameters, execute: ({ town }: { town: string }) => town })
    // @ts-expect-error the same for needsApproval
    defineTool({ name: 'a', parameters, needsApproval: (args: { town: string }) => !!args.town })
    // @ts-expect-error the result is a number
    defineTool({ name: 'a', execute: () => 1, toModelOutput: (result) => result.trim() })
    // @ts-expect-error no such option
    defineTool({ name: 'a', paramters: parameters })
    // @ts-expect-error a tool needs a name
    defineTool({ execute: () => 1 })
    // The same tool without a mistake.
    const tool = defineTool({ name: 'a', parameters, execute: ({ city }) => city })
    expectTypeOf(tool).toEqualTypeOf<Tool<{ city: string }, string, 'a'>>()
  })
})

describe('defineTool, with explicit type parameters', () => {
  it('types arguments and result and leaves the name a string', () => {
    expectTypeOf(explicit).toEqualTypeOf<Tool<{ city: string }, { temp: number }>>()
    const noResult = defineTool<{ city: string }>({ name: 'a', execute: ({ city }) => city })
    expectTypeOf(noResult).toEqualTypeOf<Tool<{ city: string }, unknown>>()
  })

  it('takes the name as a third', () => {
    const confirm = defineTool<{ text: string }, boolean, 'confirm'>({ name: 'confirm' })
    expectTypeOf(confirm).toEqualTypeOf<Tool<{ text: string }, boolean, 'confirm'>>()
  })

  it('refuses what they do not allow', () => {
    // @ts-expect-error no such argument
    defineTool<{ city: string }>({ name: 'a', execute: ({ town }) => town })
    // @ts-expect-error a result of another type
    defineTool<{ city: string }, number>({ name: 'a', execute: ({ city }) => city })
    // @ts-expect-error another name
    defineTool<{ city: string }, number, 'a'>({ name: 'b' })
    // @ts-expect-error the arguments of approval are the same
    defineTool<{ city: string }>({ name: 'a', needsApproval: ({ town }) => !!town })
    // The same tool without a mistake.
    const tool = defineTool<{ city: string }, string>({ name: 'a', execute: ({ city }) => city })
    expectTypeOf(tool).toEqualTypeOf<Tool<{ city: string }, string>>()
  })
})

describe('tools of every kind', () => {
  it('fit a list of any tools', () => {
    expectTypeOf([getWeather, getTime, explicit]).toExtend<readonly AnyTool[]>()
  })
})
