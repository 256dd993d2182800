import { useChat } from 'vue-llm'
import { provider } from './demo'

const fetchWeather = async ({ city }: { city: string }) => ({ city, temp: 7 })

export const chat = useChat({
  provider,
  tools: [
    {
      name: 'get_weather',
      description: 'Current weather for a city',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' } },
        required: ['city'],
      },
    },
  ],
  async onToolCall({ toolName, args }) {
    if (toolName === 'get_weather') return fetchWeather(args as { city: string })
    return undefined // not ours: it waits for a person
  },
})
