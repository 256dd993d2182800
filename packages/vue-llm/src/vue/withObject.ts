import {
  createId,
  errorText,
  isPlainObject,
  LLMError,
  providerTraits,
  toToolDefinition,
  validateArgs,
  type ChatRequest,
  type Chunk,
  type JSONSchema,
  type Provider,
  type StandardSchema,
  type ToolDefinition,
  type ToolValidator,
} from '../core'

/**
 * How an object is asked for: `json` as the form of the answer, `tool` as the arguments of a call that the model has to
 * make, `auto` as the provider can.
 */
export type ObjectMode = 'auto' | 'json' | 'tool'

/** What is asked for. @internal */
export interface ObjectRequest {
  schema: JSONSchema | StandardSchema
  name: string
  description?: string | undefined
  mode?: ObjectMode | undefined
  validator?: ToolValidator | undefined
}

/**
 * A provider whose answer is an object: a call named `name`, whose arguments grow as the JSON arrives, be it as text or
 * as a call, and whose result is the object once it is valid. What is not valid is an `error`.
 *
 * @internal
 */
export function withObject(provider: Provider, wanted: ObjectRequest): Provider {
  return {
    ...providerTraits(provider),
    async *stream(request) {
      const tool = toTool(wanted)
      const read = createObjectReader(wanted, tool.parameters.required)
      for await (const chunk of provider.stream(askFor(tool, wanted, request, provider))) {
        yield* read(chunk)
      }
      yield* read()
    },
  }
}

function toTool({ schema, name, description = 'Takes your answer.' }: ObjectRequest) {
  const tool = toToolDefinition({ name, description, parameters: schema })
  const { type = 'object' } = tool.parameters
  if (type !== 'object') {
    throw new LLMError(
      'misuse',
      `the schema '${name}' must describe an object, not type ${JSON.stringify(type)}: put it into a field of one`,
    )
  }
  return tool
}

function askFor(
  tool: ToolDefinition,
  { name, mode }: ObjectRequest,
  request: ChatRequest,
  { structuredOutput }: Provider,
): ChatRequest {
  if (mode !== 'json' && (mode === 'tool' || !structuredOutput)) {
    return { ...request, tools: [...request.tools, tool], toolChoice: { name } }
  }
  const responseFormat = { type: 'json', schema: tool.parameters, name } as const
  return { ...request, settings: { ...request.settings, responseFormat } }
}

/** The call that holds the object. */
interface Holder {
  readonly toolCallId: string
  /** Finds the end in what the model wrote as text; there is none in a call. */
  readonly findEnd?: FindEnd | undefined
  json: string
  args?: unknown
}

/** Turns the chunks of one answer into those of an object; called without a chunk at its end. */
// long: closures over the state of one answer
function createObjectReader(
  { schema, name, validator }: ObjectRequest,
  required: readonly string[] = [],
) {
  let call: Holder | undefined
  /** Text that shows no object yet, or no other one. */
  let prose = ''
  /** Whether the text of `call` has ended, and is not looked for any more. */
  let isClosed = false
  let isFound = false
  let isValid = false
  let problem = 'the model gave none'

  function* begin(toolCallId: string, findEnd?: FindEnd): Generator<Chunk, Holder> {
    // A call is meant more than text before it, a later one more than an earlier.
    if (call) yield { type: 'tool-call-cancel', toolCallId: call.toolCallId }
    return (call = { toolCallId, findEnd, json: '' })
  }

  /** Whether an object of a text may be the one: before it there may be an example, or the shape in words. */
  function isMeant(json: string): boolean {
    try {
      const value: unknown = JSON.parse(json)
      return required.every((key) => Object.hasOwn(Object(value), key))
    } catch {
      return false
    }
  }

  function* readText(text: string): Generator<Chunk> {
    for (let rest = text; rest;) {
      if (!call || isClosed) {
        if (call && isFound) return
        prose += rest
        // Words and a fence may stand before it.
        const at = prose.search(/\{\s*["}]/)
        if (at < 0) return
        rest = prose.slice(at)
        prose = ''
        isClosed = false
        const { toolCallId } = yield* begin(createId('call_'), createEndFinder())
        yield { type: 'tool-call-start', toolCallId, toolName: name, providerExecuted: true }
      }
      if (!call?.findEnd) return
      const end = call.findEnd(rest)
      const argsText = rest.slice(0, end)
      rest = rest.slice(argsText.length)
      call.json += argsText
      isClosed = end !== undefined
      isFound = isClosed && isMeant(call.json)
      yield { type: 'tool-call-delta', toolCallId: call.toolCallId, argsText }
    }
  }

  /** Gives the object of a round its outcome. */
  async function* close(): AsyncGenerator<Chunk> {
    if (!call) {
      if (prose) problem = `the model wrote: ${prose.slice(0, 200)}`
      return
    }
    const { toolCallId, args, json } = call
    call = undefined
    let value: Record<string, unknown> | undefined
    try {
      value = isPlainObject(args) ? args : parseObject(typeof args === 'string' ? args : json)
    } catch (error) {
      problem = errorText(error)
    }
    if (value) {
      yield {
        type: 'tool-call-end',
        toolCallId,
        toolName: name,
        args: value,
        providerExecuted: true,
      }
      const checked = await validateArgs({ name, parameters: schema }, value, validator)
      if ('args' in checked) {
        isValid = true
        yield { type: 'tool-result', toolCallId, result: checked.args }
        return
      }
      problem = checked.error
    }
    yield { type: 'tool-error', toolCallId, error: problem, errorCode: 'invalid-args' }
  }

  return async function* read(chunk?: Chunk): AsyncGenerator<Chunk> {
    if (!chunk || chunk.type === 'step-end') {
      yield* close()
      prose = ''
      if (chunk?.finishReason === 'length') problem += ' (cut: raise settings.maxTokens)'
    }
    if (!chunk) {
      const message = `no valid object '${name}': ${problem}`
      if (!isValid) yield { type: 'error', code: 'invalid-response', message }
    } else if (chunk.type === 'text-delta') {
      if (!call || call.findEnd) yield* readText(chunk.text)
    } else if (chunk.type === 'tool-call-start' && chunk.toolName === name) {
      yield* begin(chunk.toolCallId)
      yield { ...chunk, providerExecuted: true }
    } else {
      const isOwn = 'toolCallId' in chunk && chunk.toolCallId === call?.toolCallId
      if (chunk.type === 'tool-call-end' && (isOwn || chunk.toolName === name)) {
        if (!isOwn) yield* begin(chunk.toolCallId)
        // Held until the round ends: it is checked then.
        if (call) call.args = chunk.args
        return
      }
      if (isOwn && call && chunk.type === 'tool-call-delta') call.json += chunk.argsText
      if (chunk.type === 'step-reset' || (isOwn && chunk.type === 'tool-call-cancel')) {
        call = undefined
        prose = ''
      }
      yield chunk
    }
  }
}

type FindEnd = (text: string) => number | undefined

/** Finds, in pieces of a text that begins with `{`, the place after the `}` that closes it. */
function createEndFinder(): FindEnd {
  let depth = 0
  let isString = false
  let isEscaped = false
  return (text) => {
    for (let i = 0; i < text.length; i++) {
      const char = text[i]
      if (isEscaped) isEscaped = false
      else if (char === '"') isString = !isString
      else if (isString) isEscaped = char === '\\'
      else if (char === '{') depth++
      else if (char === '}' && !--depth) return i + 1
    }
    return undefined
  }
}

/** The object that a text begins with; throws where that is not whole. */
function parseObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text.slice(0, createEndFinder()(text)))
  if (isPlainObject(value)) return value
  throw new TypeError(`${text.slice(0, 200)} is no object`)
}
