import type { Component, Ref, VNodeChild } from 'vue'
import type { AnyTool, Message, ToolCallPart, ToolCallPartOf } from '../core'

/** The calls of one tool; any call where the message does not know its tools. @internal */
export type CallNamed<Call extends ToolCallPart, Name> = string extends Call['toolName']
  ? Call
  : Extract<Call, { toolName: Name }>

type InState<Call extends ToolCallPart, State extends ToolCallPart['state']> = Call extends {
  state: infer S
}
  ? State extends S
    ? Call
    : never
  : never
type ResultOf<Call extends ToolCallPart> = Exclude<InState<Call, 'result'>['result'], undefined>

/** What a person may do with one call; each resolves as the chat's own function does. */
export interface ToolCallActions<Call extends ToolCallPart = ToolCallPart> {
  /** Gives the result of the call; see `addToolResult` of the chat. */
  addResult: (result: ResultOf<Call>) => Promise<boolean>
  /** Ends the call with an error that the model reads. */
  addError: (error: string) => Promise<boolean>
  /** Allows a call that needs approval; with arguments the tool and the model get these instead. */
  approve: (args?: InState<Call, 'pending'>['args'] | Event) => Promise<boolean>
  /** Declines a call that needs approval; the model reads why. */
  decline: (reason?: string | Event) => Promise<boolean>
}

type PropsInState<Call extends ToolCallPart, All extends ToolCallPart> = Call extends ToolCallPart
  ? {
      /** The call as it stands in the message. */
      part: Call
      message: Message
      /** The arguments: what has come so far while `streaming`, whole afterwards. */
      args: Call['args']
      state: Call['state']
      /** What the tool returned; set in state `result`. */
      result?: Call['result']
      /** The error's text; set in state `error`. */
      error?: string
      /** What the running tool reported last. */
      progress?: unknown
    } & ToolCallActions<All>
  : never

/**
 * What a tool's slot and a component of `components` may take: the call, its fields, and functions bound to it. A
 * component gets those that it declares as props; `result`, `error` and `progress` come later than the call.
 */
export type ToolCallProps<Call extends ToolCallPart = ToolCallPart> = PropsInState<Call, Call>

/** What {@link useToolCall} returns: the same as {@link ToolCallProps}, with refs for what changes. */
export type UseToolCallReturn<Call extends ToolCallPart = ToolCallPart> = {
  readonly [
    Field in 'part' | 'message' | 'args' | 'state' | 'result' | 'error' | 'progress'
  ]: Readonly<
    Ref<Field extends 'part' ? Call : Field extends 'message' ? Message : Call[Field & keyof Call]>
  >
} & ToolCallActions<Call>

/** The call of one tool. @internal */
export type CallOfOne<T extends AnyTool> = ToolCallPartOf<readonly [T]>

/** The props that a component takes; `unknown` where its type does not tell. @internal */
export type PropsOf<C> = C extends abstract new (...args: never) => { $props: infer P }
  ? P
  : C extends (props: infer P, ...rest: never) => unknown
    ? P
    : unknown

/** To Vue a prop that is `undefined` is one that is left out. */
type LeftOut<Props> = {
  [K in keyof Props]: {} extends Pick<Props, K> ? Exclude<Props[K], undefined> : Props[K]
}

/** The component, where it takes such props; otherwise a type that tells what was wanted. @internal */
export type Taking<C, Props> = [LeftOut<Props> & { key?: PropertyKey }] extends [PropsOf<C>]
  ? C
  : (props: Props) => VNodeChild

/** Components by the name of the tool whose calls they draw; each must take what its tool gives. */
export type ToolComponents<Call extends ToolCallPart, Components> = string extends Call['toolName']
  ? Readonly<Record<string, Component>>
  : {
      readonly [Name in keyof Components]: Name extends Call['toolName']
        ? Taking<Components[Name], ToolCallProps<CallNamed<Call, Name>>>
        : never
    }
