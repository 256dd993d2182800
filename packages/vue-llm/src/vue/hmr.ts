import { getCurrentInstance, onScopeDispose } from 'vue'
import type { Message } from '../core'

/** Chats of one app whose component is being replaced, by id. */
type Kept = { '~vue-llm'?: Record<string, Message[]> | undefined }

/**
 * Keeps the messages of a chat with an `id` while a development server replaces the code of its component or of one
 * above it; does nothing in production. Returns what was kept of the code before.
 *
 * @internal
 */
export function keepOnReload(
  id: string | undefined,
  end: () => { id: string | undefined; messages: Message[] },
): Message[] | undefined {
  try {
    if (process.env.NODE_ENV !== 'production') return keep(id, end)
  } catch {
    // A page without a bundler has no `process`.
  }
  return undefined
}

function keep(...[id, end]: Parameters<typeof keepOnReload>): Message[] | undefined {
  let instance = getCurrentInstance()
  if (id === undefined || !instance || !('__hmrId' in instance.type)) return undefined
  const app = instance.appContext.app as Kept
  const path: [object, unknown][] = []
  for (; instance; instance = instance.parent) path.push([instance.type, setupOf(instance.type)])
  onScopeDispose(() => {
    // The replaced code is written into the same object: so a reload is told from any other unmount.
    if (path.every(([type, setup]) => setupOf(type) === setup)) return
    const last = end()
    if (last.id !== undefined) (app['~vue-llm'] ??= {})[last.id] = last.messages
    // The new component is set up in this very tick.
    void Promise.resolve().then(() => (app['~vue-llm'] = undefined))
  })
  return app['~vue-llm']?.[id]
}

const setupOf = (type: object): unknown => (type as { setup?: unknown }).setup
