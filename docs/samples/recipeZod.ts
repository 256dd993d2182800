import { createOpenAIProvider, useObject } from 'vue-llm'
import { z } from 'zod'

export const recipe = useObject({
  provider: createOpenAIProvider({ baseURL: '/v1' }),
  model: 'gpt-4o',
  schema: z.object({ title: z.string(), ingredients: z.array(z.string()) }),
})

export async function cook(): Promise<string[]> {
  // Typed by the schema; `undefined` after a stop or an error.
  const whole = await recipe.submit('A pancake recipe')
  return whole?.ingredients ?? []
}
