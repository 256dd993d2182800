import { defineProvider } from 'vue-llm'

interface EchoOptions {
  /** Said at the end of each answer. */
  farewell?: string
}

interface EchoEvent {
  text?: string
  last?: boolean
}

export const createEchoProvider = defineProvider<EchoOptions>({
  name: 'echo',
  baseURL: 'https://echo.example.com',
  toRequest: ({ model, messages }, { farewell }, stream) => ({
    path: '/echo',
    body: { model, messages, farewell, stream },
  }),
  toChunks: (round) => ({
    event({ text, last }: EchoEvent) {
      if (text) round.emit({ type: 'text-delta', text })
      if (last) round.finishReason = 'stop'
    },
  }),
})
