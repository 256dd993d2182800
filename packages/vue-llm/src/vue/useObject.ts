import { computed, toRaw, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { callsOf } from '../core'
import type { Arriving, ArgsOf, JSONSchema, Message, StandardSchema, ToolValidator } from '../core'
import {
  useAnswer,
  type AnswerEnd,
  type AnswerOptions,
  type AnswerReturn,
  type PromptInput,
} from './useAnswer'
import { withObject, type ObjectMode } from './withObject'

/** Options of {@link useObject}. Data may be refs or getters, read anew at each request. */
export interface UseObjectOptions<
  TSchema extends JSONSchema | StandardSchema = JSONSchema,
> extends AnswerOptions {
  /**
   * The shape of the object: a JSON Schema, or a Standard Schema (zod, valibot, arktype, …), which also checks it and
   * may change it. Lists and plain values go into a field of an object.
   */
  schema: TSchema
  /** What the object is called, for the model: letters, digits, `_` and `-`. @default 'answer' */
  name?: string
  /** What the object is, for the model; sent where it is asked for by a call. */
  description?: string
  /**
   * `json` asks for JSON as the form of the answer (behind a server of your own, that must allow `settings`), `tool` for
   * a call whose arguments are the object (there, allow `toolChoice`, or the model decides whether to call).
   * @default 'auto': `json` where the provider knows how to ask for it
   */
  mode?: MaybeRefOrGetter<ObjectMode | undefined>
  /** Checks the whole object against a JSON Schema, such as `ajvValidator()`. */
  validator?: ToolValidator
  /** Called when the answer has ended. */
  onFinish?: (event: ObjectEnd<TSchema>) => void
}

/** What `onFinish` of {@link useObject} gets. */
export type ObjectEnd<TSchema extends JSONSchema | StandardSchema> = AnswerEnd &
  ObjectState<TSchema>

/** An object as far as it has come. */
export interface ObjectState<TSchema extends JSONSchema | StandardSchema> {
  /** What has arrived: anything may be missing, and a text may be cut. An immutable value, replaced as it grows. */
  object: Arriving<ArgsOf<TSchema, 'input'>> | undefined
  /** The whole object, once it is valid: what a Standard Schema made of it. */
  result: ArgsOf<TSchema> | undefined
}

/** What {@link useObject} returns: flat, for destructuring. */
export interface UseObjectReturn<
  TSchema extends JSONSchema | StandardSchema = JSONSchema,
> extends AnswerReturn {
  /** What has arrived: anything may be missing, and a text may be cut. An immutable value, replaced as it grows. */
  object: ComputedRef<ObjectState<TSchema>['object']>
  /** The whole object, once it is valid: what a Standard Schema made of it. */
  result: ComputedRef<ObjectState<TSchema>['result']>
  /**
   * Asks for an object; one that still runs is ended and replaced. Resolves with `result` of this one when it ends,
   * `undefined` after a stop or an error, and never rejects: errors are in `error`.
   */
  submit: (prompt: PromptInput) => Promise<ObjectState<TSchema>['result']>
}

/**
 * An object from a model, by a schema: it grows while it streams, is typed, and is checked when it is whole. What does
 * not fit is an error with code `invalid-response`.
 *
 * Ends with the scope it is used in, as `useChat` does; on a server nothing is asked by itself.
 */
export function useObject<const TSchema extends JSONSchema | StandardSchema>(
  options: UseObjectOptions<TSchema>,
): UseObjectReturn<TSchema> {
  const { name = 'answer' } = options
  const stateOf = (message: Message | undefined) => {
    const call = callsOf(message).findLast(({ toolName }) => toolName === name)
    // What a schema makes may be an instance of a class, which a proxy could break.
    return { object: call?.args, result: toRaw(call?.result) } as ObjectState<TSchema>
  }
  const { answer, ask, shown } = useAnswer({
    ...options,
    provider: () => {
      const provider = toRaw(toValue(options.provider))
      // The chat says what is wrong with one that is none.
      return !provider?.stream
        ? provider
        : withObject(provider, { ...options, name, mode: toValue(options.mode) })
    },
    onFinish: (event) => options.onFinish?.({ ...event, ...stateOf(event.message) }),
  })
  return {
    ...shown,
    object: computed(() => stateOf(answer.value).object),
    result: computed(() => stateOf(answer.value).result),
    submit: async (prompt) => stateOf(await ask(prompt)).result,
  }
}
