import type { AnyTool, Message, StandardSchema, Tool, ToolCallPart } from './types'

// The `& {}` makes editors show the outcome instead of the alias.
type Plain<T> = { [K in keyof T]: T[K] } & {}

/** How deep schemas are followed; below it everything is `unknown`. */
type MaxDepth = 16

type ObjectOf<P, Required, D extends 0[]> = Plain<
  {
    -readonly [K in keyof P as K extends Required ? K : never]: FromJsonSchema<P[K], D>
  } & {
    -readonly [K in keyof P as K extends Required ? never : K]?: FromJsonSchema<P[K], D>
  }
>

type RequiredOf<S> = S extends { readonly required: readonly (infer K)[] } ? K : never

// Without `additionalProperties` only the named keys are offered, so that a typo is an error.
type FromObject<S, D extends 0[]> = S extends { readonly properties: infer P }
  ? S extends { readonly additionalProperties: infer A }
    ? A extends false
      ? ObjectOf<P, RequiredOf<S>, D>
      : ObjectOf<P, RequiredOf<S>, D> & Record<string, FromJsonSchema<A, D>>
    : ObjectOf<P, RequiredOf<S>, D>
  : S extends { readonly additionalProperties: infer A }
    ? Record<string, FromJsonSchema<A, D>>
    : Record<string, unknown>

type ItemsOf<S, D extends 0[]> = S extends { readonly items: infer I }
  ? FromJsonSchema<I, D>
  : unknown

type TupleOf<P, D extends 0[]> = { -readonly [I in keyof P]: FromJsonSchema<P[I], D> }

type FromArray<S, D extends 0[]> = S extends { readonly prefixItems: infer P }
  ? TupleOf<P, D> extends infer T extends unknown[]
    ? S extends { readonly items: false }
      ? T
      : [...T, ...ItemsOf<S, D>[]]
    : never
  : ItemsOf<S, D>[]

interface Primitives {
  string: string
  number: number
  integer: number
  boolean: boolean
  null: null
}

type FromType<Type, S, D extends 0[]> = Type extends keyof Primitives
  ? Primitives[Type]
  : Type extends 'object'
    ? FromObject<S, D>
    : Type extends 'array'
      ? FromArray<S, D>
      : unknown

type FromKeywords<S, D extends 0[]> = S extends { readonly type: infer Type }
  ? FromType<Type extends readonly (infer Each)[] ? Each : Type, S, D>
  : S extends { readonly properties: unknown }
    ? FromObject<S, D>
    : S extends { readonly items: unknown } | { readonly prefixItems: unknown }
      ? FromArray<S, D>
      : unknown

type AllOf<List, D extends 0[]> = List extends readonly [infer Head, ...infer Rest]
  ? FromJsonSchema<Head, D> & AllOf<Rest, D>
  : unknown

type FromCombined<S, D extends 0[]> = (S extends { readonly anyOf: readonly (infer Each)[] }
  ? FromJsonSchema<Each, D>
  : unknown) &
  (S extends { readonly oneOf: readonly (infer Each)[] } ? FromJsonSchema<Each, D> : unknown) &
  (S extends { readonly allOf: infer List } ? AllOf<List, D> : unknown)

/**
 * The type of the values that a JSON Schema allows. Known are the primitive types, objects, arrays and tuples, `enum`,
 * `const`, `anyOf`, `oneOf`, `allOf` and lists of types; the rest (`$ref`, `not`, …) is `unknown`. The schema must have
 * a literal type: written inside `defineTool`, or `as const`.
 */
export type FromJsonSchema<S, D extends 0[] = []> = D['length'] extends MaxDepth
  ? unknown
  : S extends false
    ? never
    : S extends { readonly const: infer C }
      ? C
      : S extends { readonly enum: readonly (infer E)[] }
        ? E
        : FromKeywords<S, [...D, 0]> & FromCombined<S, [...D, 0]>

type StandardTypes<S> = S extends { readonly '~standard': { readonly types?: infer T } }
  ? NonNullable<T>
  : never

/** Which side of a schema: what the model writes, or what `execute` gets. */
type Side = 'input' | 'output'

// Arguments are always an object: what a schema allows beside that is dropped.
type ArgsObject<T> = [Extract<T, object>] extends [never]
  ? Record<string, unknown>
  : Extract<T, object>

/**
 * The type of the arguments that a tool's `parameters` describe: a JSON Schema, or a side of a Standard Schema
 * (`output` is what `execute` gets, `input` is what the model writes).
 */
export type ArgsOf<S, In extends Side = 'output'> = ArgsObject<
  S extends StandardSchema
    ? StandardTypes<S> extends Record<In, infer T>
      ? T
      : unknown
    : FromJsonSchema<S>
>

/** What is still arriving, such as arguments that stream: anything may be missing, and a text may be cut. */
export type Arriving<T> = T extends string
  ? string
  : T extends readonly (infer Each)[]
    ? Arriving<Each>[]
    : T extends object
      ? { readonly [K in keyof T]?: Arriving<T[K]> }
      : T

/** What `undefined` becomes in a result. */
type Recorded<Result> = Result extends undefined | void ? null : Result

type CallOf<Name extends string, Args, Result> =
  // A call that fails may have been cut while it arrived.
  | (ToolCallPart<Name, Arriving<Args>, never> & { state: 'streaming' })
  | (ToolCallPart<Name, Arriving<Args>, never> & { state: 'error'; error: string })
  | (ToolCallPart<Name, Args, never> & { state: 'pending' | 'running' })
  | (ToolCallPart<Name, Args, Result> & { state: 'result'; result: Result })

// The model writes the input side of a Standard Schema; `execute` gets its output.
type WrittenArgs<T, Args> = T extends { readonly parameters: infer S }
  ? S extends StandardSchema
    ? ArgsOf<S, 'input'>
    : unknown extends Args
      ? ArgsOf<S>
      : Args
  : Args

// A mapped type also turns an interface into what is assignable to the arguments of any part.
type ReadArgs<T> = { readonly [K in keyof T]: T[K] } & {}

type CallOfTool<T> =
  T extends Tool<infer Args, infer Result, infer Name>
    ? [string, Extract<WrittenArgs<T, Args>, object>] extends [Name, never]
      ? ToolCallPart
      : CallOf<Name, ReadArgs<ArgsObject<WrittenArgs<T, Args>>>, Recorded<Result>>
    : never

/**
 * The tool calls that a list of tools can lead to, told apart by `toolName` and then by `state`: `result` has the
 * tool's own type in state `result`, arguments may be incomplete in `streaming` and `error`. Without tools, or with
 * tools of no known type, it is `ToolCallPart`.
 */
export type ToolCallPartOf<TTools extends readonly AnyTool[]> = [TTools[number]] extends [never]
  ? ToolCallPart
  : Extract<CallOfTool<TTools[number]>, ToolCallPart>

/** A message whose tool calls are those of a list of tools; see {@link ToolCallPartOf}. */
export type MessageOf<TTools extends readonly AnyTool[]> = Message<ToolCallPartOf<TTools>>
