import { useChat, type Provider } from 'vue-llm'

export const openChat = (provider: Provider, show: (text: string) => void) =>
  useChat({
    provider,
    onError({ code, status, message }) {
      if (status === 401) show('Please log in again.')
      else if (code === 'network') show('Are you offline?')
      else show(message)
    },
  })
