import {
  defineComponent,
  h,
  type AllowedComponentProps,
  type PropType,
  type VNodeChild,
  type VNodeProps,
} from 'vue'
import type { Message, Part, ToolCallPart } from '../core'

/** What a part's slot gets: the part, and the message it belongs to. */
export interface PartSlotProps<P = Part> {
  part: P
  message: Message
}

type OfType<T extends Part['type']> = Extract<Part, { type: T }>

/** The calls of one tool; any call where the message does not know its tools. */
type CallNamed<Call extends ToolCallPart, Name> = string extends Call['toolName']
  ? Call
  : Extract<Call, { toolName: Name }>

/** The slots of {@link MessageParts}: one a type of part, and one a tool. */
export type MessagePartsSlots<Call extends ToolCallPart = ToolCallPart> = {
  [T in Exclude<Part['type'], 'tool-call' | 'data'>]?: PartSlot<OfType<T>>
} & {
  /** Any tool call without a slot of its own. */
  tool?: PartSlot<Call>
  /** Any data part without a slot of its own. */
  data?: PartSlot<OfType<'data'>>
} & {
  [Name in Call['toolName'] as `tool-${Name}`]?: PartSlot<CallNamed<Call, Name>>
} & {
  [name: `data-${string}`]: PartSlot<OfType<'data'>> | undefined
}

type PartSlot<P> = (props: PartSlotProps<P>) => VNodeChild

/** Public form of the component, so that slots know the tools of the message. */
interface MessagePartsConstructor {
  new <Call extends ToolCallPart = ToolCallPart>(props: {
    /** The message to draw. */
    message: Message<Call>
  }): {
    $props: { message: Message<Call> } & AllowedComponentProps & VNodeProps
    $slots: MessagePartsSlots<Call>
  }
}

type Slots = Readonly<Record<string, ((props: PartSlotProps) => VNodeChild) | undefined>>

/** The names of the slots that may draw a part, the closest first. */
function slotNames(part: Part): string[] {
  switch (part.type) {
    case 'tool-call':
      return [`tool-${part.toolName}`, 'tool']
    case 'data':
      return [`data-${part.name}`, 'data']
    default:
      return [part.type]
  }
}

/** What stands for a part without a slot: text as it is, a tool call by name and state, nothing else. */
function drawPlain(part: Part): VNodeChild {
  switch (part.type) {
    case 'text':
      // Such as the line end between two calls that were written as text.
      if (!part.text.trim()) return null
      return h('div', { 'data-part': 'text', style: 'white-space: pre-wrap' }, part.text)
    case 'tool-call':
      return h(
        'div',
        { 'data-part': 'tool-call', 'data-state': part.state },
        `${part.toolName}: ${part.error ?? part.state}`,
      )
    default:
      return null
  }
}

/** One part in a component of its own, so that a growing text draws itself and nothing beside it. */
const PartView = /* @__PURE__ */ defineComponent({
  name: 'MessagePart',
  props: {
    part: { type: Object as PropType<Part>, required: true },
    message: { type: Object as PropType<Message>, required: true },
    slots: { type: Object as PropType<Slots>, required: true },
  },
  setup: (props) => () => {
    const { part, message, slots } = props
    const name = slotNames(part).find((slot) => slots[slot])
    return name === undefined ? drawPlain(part) : slots[name]?.({ part, message })
  },
})

/**
 * Draws the parts of a message, each in its own component: slots `#text`, `#reasoning`, `#file`, `#source`,
 * `#tool-<name>` with the fallback `#tool`, and `#data-<name>` with the fallback `#data`. Each slot gets `part` and
 * `message`. Renders no element of its own.
 */
export const MessageParts = /* @__PURE__ */ defineComponent({
  name: 'MessageParts',
  props: {
    /** The message to draw. */
    message: { type: Object as PropType<Message>, required: true },
  },
  setup(props, { slots }) {
    let passed: Slots = {}
    return () => {
      // The same object for the same slots: parts draw again only where a slot has changed.
      const current: Slots = { ...(slots as Slots) }
      const names = Object.keys(current)
      const same =
        names.length === Object.keys(passed).length &&
        names.every((name) => current[name] === passed[name])
      if (!same) passed = current
      const { message } = props
      return message.parts.map((part, index) =>
        h(PartView, {
          key: part.type === 'tool-call' ? part.toolCallId : index,
          part,
          message,
          slots: passed,
        }),
      )
    }
  },
}) as unknown as MessagePartsConstructor
