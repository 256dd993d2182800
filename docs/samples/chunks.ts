import { applyChunk, createMessage, nextStep, type Chunk } from 'vue-llm/core'

const chunks: Chunk[] = [
  { type: 'text-delta', text: 'Let me ' },
  { type: 'text-delta', text: 'look.' },
  { type: 'tool-call-start', toolCallId: 'call_1', toolName: 'get_weather' },
  { type: 'tool-call-delta', toolCallId: 'call_1', argsText: '{"city":' },
  { type: 'tool-call-delta', toolCallId: 'call_1', argsText: '"Oslo"}' },
  { type: 'tool-call-end', toolCallId: 'call_1' },
  { type: 'step-end', finishReason: 'tool-calls' },
  { type: 'tool-start', toolCallId: 'call_1' },
  { type: 'tool-result', toolCallId: 'call_1', result: { temp: 7 } },
]

export const message = createMessage('assistant')
for (const chunk of chunks) applyChunk(message, chunk)

// The call has its result, so the model is asked again: 'request'.
export const next = nextStep([createMessage('user', { content: 'Weather?' }), message])
