import {
  normaliseMessages,
  type AnyTool,
  type ChatRequest,
  type MessageInput,
  type PartInput,
} from '../../packages/vue-llm/src/core/index.ts'

/** One conversation, and all that is asked with it. */
export type Conversation = Omit<ChatRequest, 'model' | 'signal'> & {
  /** Where only wires of these names can say it. */
  only?: readonly string[]
  /** Where wires of these names can't say it. */
  not?: readonly string[]
}

const look: AnyTool = {
  name: 'look',
  description: 'Looks somewhere.',
  parameters: {
    type: 'object',
    properties: { at: { type: 'string' } },
    required: ['at'],
    additionalProperties: false,
  },
}
const schema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}
/** The smallest PNG, and a text that is no PDF. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const pdf = 'JVBERi0xLjQ='

/** What each wire gave with what was thought, and with the call that it led to. */
const kept = {
  anthropic: { type: 'thinking', signature: 'sig' },
  gemini: { thoughtSignature: 'c2ln' },
  'openai-responses': {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'hm' }],
    encrypted_content: 'sealed',
  },
}
const detail = {
  type: 'reasoning.text',
  text: 'hm',
  signature: 'sig',
  format: 'anthropic-claude-v1',
  index: 0,
}
const signed = {
  gemini: { id: 'a', thoughtSignature: 'c2ln' },
  openai: { extra_content: { google: { thought_signature: 'c2ln' } } },
}

const call = (toolCallId: string, at: string, outcome: object): PartInput => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  args: { at },
  state: 'result',
  ...outcome,
})
const ask = (content: string): MessageInput => ({ role: 'user', content })
const answer = (...parts: PartInput[]): MessageInput => ({
  role: 'assistant',
  parts,
  steps: [{ finishReason: 'tool-calls' }],
})
const conversation = (
  messages: MessageInput[],
  more: Partial<Conversation> = {},
): Conversation => ({ messages: normaliseMessages(messages), tools: [], ...more })

const thought = (openai: unknown): Conversation =>
  conversation(
    [
      ask('look'),
      answer(
        { type: 'reasoning', text: 'hm', providerMetadata: { ...kept, openai } },
        call('a', 'sky', { result: 'blue', providerMetadata: signed }),
      ),
    ],
    { tools: [look] },
  )

/** The conversations that every provider is asked to send. */
export const conversations: Readonly<Record<string, Conversation>> = {
  system: conversation([ask('hi')], { system: 'Be kind.' }),
  text: conversation([ask('hi'), { role: 'assistant', content: 'Hello.' }, ask('bye')]),
  settings: conversation([ask('hi')], {
    settings: { temperature: 0.5, topP: 0.9, maxTokens: 99, stop: ['END'] },
  }),
  image: conversation([
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'what is it?' },
        { type: 'file', mediaType: 'image/png', data: png },
      ],
    },
  ]),
  'image by URL': conversation([
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'what is it?' },
        { type: 'file', mediaType: 'image/png', url: 'https://a.example/a.png' },
      ],
    },
  ]),
  PDF: conversation([
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'what is it?' },
        { type: 'file', mediaType: 'application/pdf', data: pdf, filename: 'a.pdf' },
      ],
    },
  ]),
  'two parallel calls': conversation(
    [
      ask('look'),
      answer(
        { type: 'text', text: 'I look.' },
        call('a', 'sky', { result: { blue: true } }),
        call('b', 'sea', { result: 'wet' }),
      ),
    ],
    { tools: [look] },
  ),
  'error result': conversation(
    [ask('look'), answer(call('a', 'sky', { state: 'error', error: 'fog' }))],
    { tools: [look] },
  ),
  'unanswered call': conversation(
    [ask('look'), answer(call('a', 'sky', { state: 'pending' })), ask('well?')],
    { tools: [look] },
  ),
  '100 KB result': conversation(
    [ask('look'), answer(call('a', 'sky', { result: 'x'.repeat(100_000) }))],
    { tools: [look] },
  ),
  'signed reasoning': { ...thought('reasoning_content'), not: ['openai', 'openrouter'] },
  'reasoning details': { ...thought([detail]), only: ['openrouter'] },
  'reasoning effort': conversation([ask('think')], { settings: { reasoningEffort: 'high' } }),
  'forced tool': conversation([ask('look')], {
    tools: [look],
    toolChoice: { name: 'look' },
    settings: { parallelToolCalls: false },
  }),
  'JSON schema': conversation([ask('where?')], {
    settings: { responseFormat: { type: 'json', schema } },
  }),
}
