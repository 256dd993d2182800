// @vitest-environment happy-dom
import { mount } from '@vue/test-utils'
import { LLMError, type Provider } from 'vue-llm'
import { createScriptedProvider, finish, toolCall } from 'vue-llm/testing'
import { expect, it, vi } from 'vitest'
import Chat from './Chat.vue'

async function ask(provider: Provider, question: string) {
  const chat = mount(Chat, { props: { provider } })
  await chat.get('input').setValue(question)
  await chat.get('form').trigger('submit')
  return chat
}

it('answers with the weather', async () => {
  const provider = createScriptedProvider([
    [toolCall('get_weather', { city: 'Oslo' }), finish('tool-calls')],
    'It is 4 degrees in Oslo.',
  ])
  const chat = await ask(provider, 'Weather in Oslo?')
  await vi.waitFor(() => expect(chat.text()).toContain('4 degrees'))
  // The second request carries what the tool returned.
  expect(provider.requests[1]?.messages.at(-1)?.parts[0]).toMatchObject({ result: { temp: 4 } })
})

it('offers another try when the server is down', async () => {
  const provider = createScriptedProvider([
    [new LLMError('network', 'the server is down')],
    'Here I am again.',
  ])
  const chat = await ask(provider, 'Hello')
  await vi.waitFor(() => expect(chat.get('[role=alert]').text()).toContain('is down'))
  await chat.get('button').trigger('click')
  await vi.waitFor(() => expect(chat.text()).toContain('Here I am again.'))
})
