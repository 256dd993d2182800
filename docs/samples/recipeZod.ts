import { useObject } from 'vue-llm'
import { z } from 'zod'
import { provider } from './demo'

// In a component, or in a module of its own, as here.
export const recipe = useObject({
  provider,
  schema: z.object({ title: z.string(), ingredients: z.array(z.string()) }),
})

export async function cook(): Promise<string[]> {
  // Typed by the schema; `undefined` after a stop or an error.
  const whole = await recipe.submit('A pancake recipe')
  return whole?.ingredients ?? []
}
