import { markRaw, type Component } from 'vue'
import type { ArgsOf, JSONSchema, ModelOutput, StandardSchema, Tool } from '../core'
import type { PropsOf, Taking } from './toolCallProps'

/** A tool that is a component; see {@link defineToolComponent}. */
export interface ToolComponentOptions<
  Name extends string,
  Schema extends JSONSchema | StandardSchema,
  C,
> {
  name: Name
  /** What the model reads to decide whether and when to call. */
  description?: string
  /** Shape of the arguments, which are the component's props. */
  parameters?: Schema
  /** Must declare the arguments as props: only those that it declares are passed. */
  component: C & Taking<C, ArgsOf<Schema, 'input'>>
  /**
   * Whether the call stays open until the component emits `result`, whose value the model reads.
   *
   * @default whether the component declares that it emits `result`; to be told of an async component
   */
  waits?: boolean
  /** Whether a person must allow the call first; the component is drawn and may ask by `useToolCall`. @default false */
  needsApproval?: Tool['needsApproval']
  /** What the model reads of the result, where that is not the result itself as text or JSON. */
  toModelOutput?: (result: ShownResult<C>) => ModelOutput
}

/** What the call of a tool component returns: what the component emits as `result`, else `{ shown: true }`. */
export type ShownResult<C> =
  PropsOf<C> extends { onResult?: infer On }
    ? NonNullable<On> extends (value: infer R, ...rest: never) => unknown
      ? R
      : { shown: true }
    : { shown: true }

/** A tool with the component that `MessageParts` draws for its calls. */
export type ToolComponent<
  Name extends string,
  Schema extends JSONSchema | StandardSchema,
  C,
> = Tool<ArgsOf<Schema, 'input'>, ShownResult<C>, Name> &
  (Schema extends StandardSchema ? { parameters: Schema } : unknown) & {
    readonly component: C & Component
  }

/**
 * Declares a tool that is a component: its arguments are the props, and `MessageParts` draws it for each call by itself
 * where the tool is among the chat's `tools`, as soon as the arguments are whole.
 *
 * The call is done at once (the model reads `{"shown":true}`), or stays open for a person where the component emits
 * `result`.
 *
 * @example
 * const pickSeat = defineToolComponent({
 *   name: 'pick_seat',
 *   description: 'Lets the user pick a seat',
 *   parameters: { type: 'object', properties: { rows: { type: 'integer' } }, required: ['rows'] },
 *   component: SeatMap, // defineProps<{ rows: number }>(), defineEmits<{ result: [seat: string] }>()
 * })
 */
export function defineToolComponent<
  const Name extends string,
  C,
  const Schema extends JSONSchema | StandardSchema = JSONSchema,
>(tool: ToolComponentOptions<Name, Schema, C>): ToolComponent<Name, Schema, C> {
  const { waits, ...rest } = tool
  const emits = Object((rest.component as { emits?: object }).emits)
  const asks = waits ?? (Array.isArray(emits) ? emits.includes('result') : 'result' in emits)
  // Raw, so that a reactive list of tools does not make the component reactive.
  return markRaw({
    ...(!asks && { execute: () => ({ shown: true }) }),
    ...rest,
  }) as unknown as ToolComponent<Name, Schema, C>
}
