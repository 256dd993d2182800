import type { Provider } from 'vue-llm'

/** A model that says back what it was told: everything that a provider has to be. */
export const echo: Provider = {
  name: 'echo',
  async *stream({ messages }) {
    const texts = messages.at(-1)?.parts.map((part) => (part.type === 'text' ? part.text : ''))
    for (const word of (texts ?? []).join('').split(/(?<= )/)) {
      yield { type: 'text-delta', text: word }
    }
    yield { type: 'step-end', finishReason: 'stop' }
  },
}
