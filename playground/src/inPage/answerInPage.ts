import { createDemoModel } from 'vue-llm/testing'
import { createFaultyModel } from '../../server/faultyModel'
import { createChatService } from '../../server/handleChat'
import { createItemsService } from '../../server/items'
import { createWiresService } from '../../server/wiresService'

/** How the demo model answers here. */
export const options = { delayMs: 20 }
const model = createDemoModel(options)

/** What the dev server has, by the beginning of its paths. */
const services: readonly (readonly [
  path: string,
  answer: (request: Request) => Promise<Response>,
])[] = [
  ['/v1/', (request) => model(request)],
  ['/faults/v1/', createFaultyModel(options)],
  ['/api/chat', createChatService(options)],
  ['/api/items', createItemsService()],
  ['/wires/', createWiresService(options)],
]

/** Answers what the dev server would; anything else is `undefined`. */
export function answerInPage(request: Request): Promise<Response> | undefined {
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin) return undefined
  return services.find(([path]) => pathname.startsWith(path))?.[1](request)
}
