const text = { type: 'string' } as const
const json = (schema: object) => ({ 'application/json': { schema } })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const answer = (description: string, schema: object) => ({ description, content: json(schema) })
const problem = (description: string) => answer(description, ref('Problem'))

const toolAnswers = {
  200: answer('The active definitions; literal credentials are redacted', ref('Tools')),
  403: problem('Closed: no or a wrong token, or a page of another origin'),
}

const definition = {
  type: 'object',
  description: 'One HTTP request that the model may make',
  required: ['name', 'url'],
  properties: {
    name: { ...text, description: 'Name of the function that the model calls' },
    description: { ...text, description: 'What the model reads to decide whether to call' },
    parameters: { type: 'object', description: 'JSON Schema of the arguments' },
    url: { ...text, description: 'May hold {argument} placeholders' },
    method: { ...text, description: 'Any HTTP verb', default: 'POST' },
    headers: { type: 'object', additionalProperties: text, description: 'Sent verbatim' },
  },
}

const schemas = {
  HttpToolDefinition: definition,
  Tools: {
    type: 'object',
    required: ['ok', 'count', 'source', 'tools'],
    properties: {
      ok: { const: true },
      count: { type: 'integer' },
      source: { enum: ['file', 'request', 'none'] },
      tools: { type: 'array', items: ref('HttpToolDefinition') },
    },
  },
  Problem: {
    type: 'object',
    required: ['ok', 'error'],
    properties: {
      ok: { const: false },
      error: text,
      errors: {
        type: 'array',
        items: { type: 'object', properties: { path: text, message: text } },
      },
    },
  },
  ChatRequest: {
    type: 'object',
    required: ['messages'],
    properties: {
      id: text,
      messageId: text,
      messages: {
        type: 'array',
        items: {
          type: 'object',
          required: ['role'],
          properties: {
            role: { enum: ['user', 'assistant'] },
            content: { ...text, description: 'Short for one text part' },
            parts: { type: 'array', items: { type: 'object' } },
          },
        },
      },
      tools: { type: 'array', items: { type: 'object' }, description: 'Tools of the client' },
    },
  },
}

const paths = {
  '/api/chat': {
    post: {
      tags: ['chat'],
      summary: 'Answers a transcript',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: ref('ChatRequest'),
            example: { messages: [{ role: 'user', content: 'What’s the weather in Paris?' }] },
          },
        },
      },
      responses: {
        200: {
          description: 'The chunks of the answer, one JSON object an event, `[DONE]` last',
          content: { 'text/event-stream': { schema: text } },
        },
        400: { description: 'A transcript that can’t be answered' },
        413: { description: 'More than 4 MiB' },
        503: { description: 'LLM_ENABLED is false, or the server is stopping' },
      },
    },
  },
  '/api/tools': {
    get: {
      tags: ['tools'],
      summary: 'The active HTTP tools and where they come from',
      security: [{}, { token: [] }],
      responses: toolAnswers,
    },
    post: {
      tags: ['tools'],
      summary: 'Replaces the definitions from the next turn on, in memory only',
      security: [{}, { token: [] }],
      requestBody: {
        required: true,
        content: json({ type: 'array', minItems: 1, items: ref('HttpToolDefinition') }),
      },
      responses: {
        ...toolAnswers,
        400: problem('Empty, not UTF-8, not a JSON array, or without a valid definition'),
        409: problem('LLM_TOOLS_ENABLED is false'),
        413: problem('More than 1 MiB'),
        415: problem('Another content type than JSON'),
        503: problem('LLM_ENABLED is false'),
      },
    },
  },
  '/ws': {
    get: {
      tags: ['chat'],
      summary: 'A conversation over a WebSocket',
      description:
        'In: `{"type":"user_text","text"}`. Out: `tool_call` {name, arguments}, `tool_result`, ' +
        '`assistant_delta` {text}, `error` {message}, and `assistant_end` once for each turn.',
      responses: { 101: { description: 'The connection is a WebSocket now' } },
    },
  },
  '/health': {
    get: {
      tags: ['server'],
      summary: 'Whether the server takes requests',
      responses: {
        200: answer('It does', { type: 'object', properties: { ok: { const: true } } }),
        503: { description: 'It is stopping' },
      },
    },
  },
}

/** The OpenAPI description of what the server answers. */
export const openapi = {
  openapi: '3.1.0',
  info: {
    title: 'vue-llm-serve',
    version: '1',
    description: 'A chat with HTTP tools, for `useChat` of vue-llm and any other client.',
  },
  tags: [{ name: 'chat' }, { name: 'tools' }, { name: 'server' }],
  paths,
  components: {
    schemas,
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  },
} as const
