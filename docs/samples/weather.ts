import { defineTool, useChat } from 'vue-llm'
import { provider } from './demo'

const getWeather = defineTool<{ city: string }, { temp: number }>({
  name: 'get_weather',
  description: 'Current weather for a city. Call it whenever the user asks about the weather.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  },
  execute: async ({ city }, { signal }) => {
    // An address of your own server, or of a weather service.
    const response = await fetch(`/api/weather?city=${encodeURIComponent(city)}`, { signal })
    if (!response.ok) throw new Error(`no weather for ${city}`)
    return response.json()
  },
})

export const chat = useChat({
  provider,
  tools: [getWeather],
  maxToolRoundtrips: 3,
})
