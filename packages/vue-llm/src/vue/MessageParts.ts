import {
  defineComponent,
  h,
  inject,
  onErrorCaptured,
  proxyRefs,
  shallowReactive,
  unref,
  type AllowedComponentProps,
  type Component,
  type ComponentInternalInstance,
  type PropType,
  type VNodeChild,
  type VNodeProps,
} from 'vue'
import type { AnyTool, Message, Part, ToolCallPart } from '../core'
import { drawFailed, drawPlain } from './drawPlain'
import { keepFocus } from './keepFocus'
import { pickProps } from './pickProps'
import { chatKey, type ProvidedChat } from './provideChat'
import type { CallNamed, ToolCallProps, ToolComponents } from './toolCallProps'
import type { UseChatReturn } from './useChat'
import { provideToolCall } from './useToolCall'

/** What a part's slot gets: the part, and the message it belongs to. */
export interface PartSlotProps<P = Part> {
  part: P
  message: Message
}

/** What the slot `#failed` gets: the part whose component or slot threw, and what it threw. */
export interface FailedSlotProps<P = Part> extends PartSlotProps<P> {
  error: unknown
}

type OfType<T extends Part['type']> = Extract<Part, { type: T }>

/** The slots of {@link MessageParts}: one a type of part, and one a tool. */
export type MessagePartsSlots<Call extends ToolCallPart = ToolCallPart> = {
  [T in Exclude<Part['type'], 'tool-call' | 'data'>]?: Slot<PartSlotProps<OfType<T>>>
} & {
  /** Any tool call without a slot or component of its own. */
  tool?: Slot<ToolCallProps<Call>>
  /** Any data part without a slot of its own. */
  data?: Slot<PartSlotProps<OfType<'data'>>>
  /** Stands for a part whose component or slot threw, until the part is in another state or `components` change. */
  failed?: Slot<FailedSlotProps>
} & {
  [Name in Call['toolName'] as `tool-${Name}`]?: Slot<ToolCallProps<CallNamed<Call, Name>>>
} & {
  [name: `data-${string}`]: Slot<PartSlotProps<OfType<'data'>>> | undefined
}

type Slot<Props> = (props: Props) => VNodeChild

/** The props of {@link MessageParts}. */
export interface MessagePartsProps<Call extends ToolCallPart = ToolCallPart, Components = unknown> {
  /** The message to draw. */
  message: Message<Call>
  /** Components by the name of the tool whose calls they draw. */
  components?: Components & ToolComponents<Call, Components>
  /** Who answers the calls. @default what `provideChat` has made known */
  chat?: ProvidedChat
}

/** Public form of the component, so that slots and components know the tools of the message. */
interface MessagePartsConstructor {
  new <Call extends ToolCallPart = ToolCallPart, const Components = unknown>(
    props: MessagePartsProps<Call, Components>,
  ): {
    $props: MessagePartsProps<Call, Components> & AllowedComponentProps & VNodeProps
    $slots: MessagePartsSlots<Call>
  }
}

type Slots = Readonly<Record<string, ((props: object) => VNodeChild) | undefined>>
type ComponentMap = Readonly<Record<string, Component>>
/** What was thrown, and what a part and the components were then. */
interface Failure {
  readonly error: unknown
  readonly stamp: unknown
  readonly components: ComponentMap
}
type DrawnTool = AnyTool & { component?: Component }

interface CallViewProps {
  readonly part: Part
  readonly message: Message
  readonly slots: Slots
  readonly components: ComponentMap
  readonly chat?: UseChatReturn | undefined
}

/** What changes when a part that failed deserves another try. */
const stampOf = (part: Part): unknown =>
  'state' in part ? part.state : part.type === 'data' && part.data

/** One part in a component of its own, so that a growing text draws itself and nothing beside it. */
const PartView = /* @__PURE__ */ defineComponent({
  name: 'MessagePart',
  props: {
    part: { type: Object as PropType<Part>, required: true },
    message: { type: Object as PropType<Message>, required: true },
    slots: { type: Object as PropType<Slots>, required: true },
    components: { type: Object as PropType<ComponentMap>, required: true },
    failure: Object as PropType<Failure | undefined>,
    chat: Object as PropType<UseChatReturn | undefined>,
  },
  setup(props) {
    // A part never becomes one of another kind: calls have keys of their own.
    const drawCall = props.part.type === 'tool-call' && useCallDrawing(props)
    return () => {
      const { part, message, slots, failure } = props
      if (failure) {
        const { error } = failure
        return slots['failed'] ? slots['failed']({ part, message, error }) : drawFailed(part)
      }
      if (drawCall) return drawCall() ?? drawPlain(part)
      const slot = (part.type === 'data' && slots[`data-${part.name}`]) || slots[part.type]
      return slot ? slot({ part, message }) : drawPlain(part)
    }
  },
})

/** How a tool call is drawn, by what is closest to it; `undefined` where there is only the plain form. */
function useCallDrawing(props: CallViewProps): () => VNodeChild {
  const call = provideToolCall(props)
  const fields = proxyRefs(call)
  keepFocus(() => [fields.state, fields.part.approval?.state].join())
  return () => {
    const { slots, components, chat } = props
    const { toolName, state, args } = fields.part
    const named = slots[`tool-${toolName}`]
    if (named) return named({ ...fields })
    // Own ones only: the model writes the name, and might write `constructor`.
    const component = Object.hasOwn(components, toolName) && components[toolName]
    if (component) {
      // A function that declares no props takes all.
      const takesAll = typeof component === 'function' && !('props' in component)
      return h(component, takesAll ? { ...fields } : pickProps(component, fields))
    }
    // A tool's own component has the arguments as props: it is drawn with whole ones only.
    const tool =
      state !== 'streaming' &&
      state !== 'error' &&
      (unref(chat?.tools) as readonly DrawnTool[] | undefined)?.find(
        (one) => one.name === toolName && one.component,
      )
    if (tool && tool.component) {
      const own = pickProps(tool.component, args)
      if (!tool.execute) own['onResult'] = fields.addResult
      return h(tool.component, own)
    }
    return slots['tool']?.({ ...fields })
  }
}

/** The old record where the new one holds the same, so that parts draw again only where something has changed. */
function keepSame<T extends Readonly<Record<string, unknown>>>(old: T, next: T): T {
  const names = Object.keys(next)
  const same =
    names.length === Object.keys(old).length && names.every((name) => next[name] === old[name])
  return same ? old : next
}

/**
 * Draws the parts of a message, each in its own component: slots `#text`, `#reasoning`, `#file`, `#source`, `#data-<name>`
 * with the fallback `#data`, and for a tool call the closest of
 *
 * 1. the slot `#tool-<name>`,
 * 2. its component in `components`,
 * 3. the tool's own component (`defineToolComponent`), once the arguments are whole and unless the call failed,
 * 4. the slot `#tool`, or name and state as text.
 *
 * What throws is shown as failed in its place (slot `#failed`), until the part is in another state or `components`
 * change; the error goes to `app.config.errorHandler`, or to the console. Renders no element of its own.
 */
export const MessageParts = /* @__PURE__ */ defineComponent({
  name: 'MessageParts',
  props: {
    message: { type: Object as PropType<Message>, required: true },
    components: Object as PropType<ComponentMap>,
    chat: Object as PropType<UseChatReturn>,
  },
  setup(props, { slots }) {
    const provided = inject(chatKey, undefined)
    const failures = shallowReactive(new Map<Part, Failure>())
    let passed: Slots = {}
    let components: ComponentMap = {}
    const failureOf = (part: Part): Failure | undefined => {
      const failure = failures.get(part)
      if (failure?.components === components && failure.stamp === stampOf(part)) return failure
      return undefined
    }
    onErrorCaptured((error, instance, info) => {
      // What an event or a watcher throws is the app's own affair: what is drawn still stands.
      if (/event|watch|-[2-6]$/.test(info)) return
      let view: ComponentInternalInstance | null | undefined = instance?.$
      while (view && view.type !== (PartView as object)) view = view.parent
      if (!view) return
      const part = view.props['part'] as Part
      // Else a slot `#failed` that throws as well would be tried for ever.
      if (!failureOf(part)) failures.set(part, { error, stamp: stampOf(part), components })
      const { errorHandler } = view.appContext.config
      if (errorHandler) errorHandler(error, instance, info)
      else console.error(error)
      return false
    })
    return () => {
      const { message } = props
      passed = keepSame(passed, { ...(slots as unknown as Slots) })
      components = keepSame(components, { ...props.components })
      return message.parts.map((part, index) => {
        const key = part.type === 'tool-call' ? part.toolCallId : index
        const failure = failureOf(part)
        return h(PartView, {
          // Another one: Vue lets a component whose async `setup` has failed wait for it for ever.
          key: failure ? `${key}!` : key,
          part,
          message,
          slots: passed,
          components,
          failure,
          chat: props.chat ?? provided,
        })
      })
    }
  },
}) as unknown as MessagePartsConstructor
