import { shallowRef } from 'vue'
import { useChat, type Provider } from 'vue-llm'
import { loadHttpTools, type HttpTool } from 'vue-llm/http-tools'

/** To be called in `setup`, as `useChat` is: the chat is there at once, and has the tools once they have come. */
export function openChat(provider: Provider) {
  const tools = shallowRef<HttpTool[]>([])
  void loadHttpTools('/tools.json').then((loaded) => {
    tools.value = loaded
  })
  return useChat({ provider, model: 'gpt-4o', tools })
}
