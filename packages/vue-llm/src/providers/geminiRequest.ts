import {
  toolOutput,
  toToolDefinition,
  type AnyTool,
  type ChatRequest,
  type FilePart,
  type Part,
} from '../core'
import { toFileSource } from './fileSource'
import type { GeminiOwnOptions } from './gemini'
import type { GeminiMetadata } from './geminiWire'
import { toTurns } from './toTurns'

interface WireContent {
  role: 'user' | 'model'
  parts: object[]
}

const geminiOf = ({ providerMetadata }: Part): GeminiMetadata | undefined =>
  providerMetadata?.['gemini'] as GeminiMetadata | undefined

/** The body of a `generateContent` request. @internal */
export function toGeminiBody(
  request: ChatRequest,
  { thinkingBudgets, serverTools = [] }: GeminiOwnOptions,
): Record<string, unknown> {
  const { system, tools, toolChoice, settings = {} } = request
  // What is left has the same names here.
  const {
    stop,
    maxTokens,
    reasoningEffort: effort,
    responseFormat,
    parallelToolCalls: _,
    ...same
  } = settings
  const budget = effort && thinkingBudgets?.[effort]
  return {
    systemInstruction: system ? { parts: [{ text: system }] } : undefined,
    contents: toContents(request),
    ...((tools.length || serverTools.length) && {
      tools: [
        ...(tools.length ? [{ functionDeclarations: tools.map(toDeclaration) }] : []),
        ...serverTools,
      ],
      toolConfig: toolChoice && { functionCallingConfig: toMode(toolChoice) },
    }),
    generationConfig: {
      ...same,
      maxOutputTokens: maxTokens,
      stopSequences: stop && [stop].flat(),
      thinkingConfig: effort && {
        includeThoughts: true,
        ...(budget === undefined ? { thinkingLevel: effort } : { thinkingBudget: budget }),
      },
      responseMimeType: responseFormat && 'application/json',
      responseJsonSchema: responseFormat?.schema,
    },
  }
}

function toDeclaration(tool: AnyTool): object {
  const { parameters, ...named } = toToolDefinition(tool)
  // An object without properties is refused by some models.
  const isEmpty = parameters.properties && !Object.keys(parameters.properties).length
  // JSON Schema as it is, here and in `responseJsonSchema`: the older fields hold a part of it only.
  return isEmpty ? named : { ...named, parametersJsonSchema: parameters }
}

function toMode(choice: NonNullable<ChatRequest['toolChoice']>): object {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.name] }
  return { mode: choice === 'required' ? 'ANY' : choice.toUpperCase() }
}

function toContents({ model, messages, tools }: ChatRequest): WireContent[] {
  // Newer models refuse a round whose first call has no signature; a closed list, since all that come after do.
  const isSigned = !/gem(ini-[12]|ma)/.test(model)
  const contents: WireContent[] = []
  let user: object[] = []
  const add = (role: WireContent['role'], parts: object[]) => {
    if (parts.length) contents.push({ role, parts })
  }
  for (const turn of toTurns(messages, isSent)) {
    if (turn.role === 'user') {
      user.push(...turn.parts.map(toInput))
      continue
    }
    add('user', user)
    user = []
    add(
      'model',
      turn.parts.flatMap((part) => toOutput(part, isSigned && part === turn.calls[0])),
    )
    // As many responses as there were calls, and nothing else beside them: files follow.
    add(
      'user',
      turn.calls.map((call) => {
        let output = toolOutput(call, tools)
        if (typeof output !== 'string') {
          user.push(...output.filter(({ type }) => type === 'file').map(toInput))
          output = output.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n\n')
          output ||= 'see the files that follow'
        }
        // JSON stays JSON here, where other wires have text.
        const value = output === JSON.stringify(call.result) ? call.result : output
        return {
          functionResponse: {
            id: geminiOf(call)?.id,
            name: call.toolName,
            // The two keys that the API names.
            response: { [call.state === 'result' ? 'output' : 'error']: value },
          },
        }
      }),
    )
  }
  add('user', user)
  return contents
}

function isSent(part: Part): boolean {
  const gemini = geminiOf(part)
  if (part.type === 'tool-call') return !!gemini?.parts
  return part.type === 'text' || (!!gemini && part.type !== 'source')
}

function toInput(part: { type: 'text'; text: string } | Omit<FilePart, 'step'>): object {
  if (part.type === 'text') return { text: part.text }
  const file = toFileSource(part)
  const mimeType = file.mediaType
  return 'data' in file
    ? { inlineData: { mimeType, data: file.data } }
    : { fileData: { mimeType, fileUri: file.url } }
}

function toOutput(part: Part, isSigned: boolean): readonly object[] {
  const { id, thoughtSignature, parts } = geminiOf(part) ?? {}
  if (parts) return parts
  if (part.type === 'text' || part.type === 'file') return [{ ...toInput(part), thoughtSignature }]
  if (part.type === 'reasoning') return [{ text: part.text, thought: true, thoughtSignature }]
  if (part.type !== 'tool-call') return []
  // Ids of other wires stay out, since Vertex AI takes none: calls and responses match by their order.
  const functionCall = { id, name: part.toolName, args: part.args }
  return [
    {
      functionCall,
      // Google names this one for calls that came without: of other models, or of older ones.
      thoughtSignature:
        thoughtSignature || (isSigned ? 'skip_thought_signature_validator' : undefined),
    },
  ]
}
