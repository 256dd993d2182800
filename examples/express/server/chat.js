// @ts-check
// The chat's back end.
import { createLLMHandler } from 'vue-llm/server'
import { model, provider } from './model.js'
import { cancelOrder, findOrders } from './orders.js'
import { userOf } from './sessions.js'

/** Chats by user and id; in a real app a table. @type {Map<string, import('vue-llm/core').Message[]>} */
const chats = new Map()

/** The user is part of the key, so nobody reads another's chat. @param {string} user @param {string} id */
const keyOf = (user, id) => JSON.stringify([user, id])

export const handleChat = createLLMHandler({
  provider,
  model,
  system: 'You help customers of a furniture shop with their orders. Be brief.',
  tools: [findOrders, cancelOrder],
  authorize(request) {
    const user = userOf(request.headers.get('cookie'))
    if (user !== undefined) return { user }
    const error = { code: 'unauthorized', message: 'log in first' }
    throw Response.json({ error }, { status: 401 })
  },
  // The server's copy is the truth: the page can't claim that a person allowed what was never asked.
  loadMessages: (id, { user }) => chats.get(keyOf(user, id)),
  onFinish({ id, messages, context: { user } }) {
    if (id !== undefined) chats.set(keyOf(user, id), messages)
  },
  // The page reads a neutral text; this is where the true one goes.
  onError: (error, { source, toolName }) => console.error(source, toolName ?? '', error),
})
