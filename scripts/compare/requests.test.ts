import { expect, test } from 'vitest'
import { conversations } from './conversations.ts'
import { sendOurs, wires } from './wires.ts'

/** To our side, OpenAI and OpenRouter are a compatible server. */
const names = Object.keys(wires).filter((name) => !name.startsWith('open'))

/** What is posted, by conversation; long texts by their length. */
async function bodiesOf(name: string): Promise<string> {
  const bodies: Record<string, unknown> = {}
  const wire = wires[name]
  for (const [what, conversation] of Object.entries(conversations)) {
    if (!wire || conversation.not?.includes(name)) continue
    await sendOurs(wire, conversation, {
      fetch(_, { body }) {
        bodies[what] = JSON.parse(`${body}`, (_key, value: unknown) =>
          typeof value === 'string' && value.length > 1000 ? `${value.length} characters` : value,
        )
        return Promise.reject(new Error('recorded'))
      },
    })
  }
  return `${JSON.stringify(bodies, null, 2)}\n`
}

test.each(names)('%s is sent what was compared with other clients', async (name) => {
  // What changes here is to be compared again (`npm run compare`).
  await expect(await bodiesOf(name)).toMatchFileSnapshot(`./sent/${name}.snap`)
})
