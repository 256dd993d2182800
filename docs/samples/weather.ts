import { createOpenAIProvider, defineTool, useChat } from 'vue-llm'

const getWeather = defineTool<{ city: string }, { temp: number }>({
  name: 'get_weather',
  description: 'Current weather for a city. Call it whenever the user asks about the weather.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  execute: async ({ city }, { signal }) => {
    const response = await fetch(`/api/weather?city=${encodeURIComponent(city)}`, { signal })
    if (!response.ok) throw new Error(`no weather for ${city}`)
    return response.json()
  },
})

export const chat = useChat({
  provider: createOpenAIProvider({ baseURL: '/v1' }),
  model: 'gpt-4o',
  tools: [getWeather],
  maxToolRoundtrips: 3,
})
