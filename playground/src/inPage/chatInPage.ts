import type { LLMSocket } from 'vue-llm/server'
import { createChatSocket } from '../../server/chatSocket'
import { options } from './answerInPage'

/** The other end of a socket, within the page. */
export const chatInPage = (send: (text: string) => void): LLMSocket =>
  createChatSocket(options, send)
