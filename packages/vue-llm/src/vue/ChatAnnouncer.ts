import { defineComponent, h, type PropType } from 'vue'
import { injectChat, type ProvidedChat } from './provideChat'
import { useAnnouncer, type AnnouncerOptions } from './useAnnouncer'

const hidden =
  'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap'

/**
 * Tells a screen reader what happens in a chat, and shows nothing: `<ChatAnnouncer />` once on the page, from the start,
 * with the options of `useAnnouncer` as props.
 */
export const ChatAnnouncer = /* @__PURE__ */ defineComponent({
  name: 'ChatAnnouncer',
  props: {
    /** @default what `provideChat` has made known */
    chat: Object as PropType<ProvidedChat>,
    paceMs: Number,
    describe: Function as PropType<NonNullable<AnnouncerOptions['describe']>>,
  },
  setup(props) {
    const lines = useAnnouncer(props.chat ?? injectChat(), props)
    return () =>
      h(
        'div',
        { role: 'log', 'aria-live': 'polite', style: hidden },
        lines.value.map(({ id, text }) => h('p', { key: id }, text)),
      )
  },
})
