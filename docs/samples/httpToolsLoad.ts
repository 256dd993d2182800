import { useChat, type Provider } from 'vue-llm'
import { loadHttpTools } from 'vue-llm/http-tools'

export async function openChat(provider: Provider) {
  const tools = await loadHttpTools('/tools.json')
  return useChat({ provider, model: 'gpt-4o', tools })
}
