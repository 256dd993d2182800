// Sends a conversation as other clients do: the AI SDK's providers, which build the request, and
// the vendors' own SDKs, given what their documentation says to write.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { createOpenRouter } from '@openrouter/ai-sdk-provider'
import { Ollama } from 'ollama'
import OpenAI from 'openai'

const options = { apiKey: 'key', maxRetries: 0 }
const metadataOf = (part, wire) => part.providerMetadata?.[wire]
const isCall = ({ type }) => type === 'tool-call'
const textOf = (parts) => parts.flatMap(({ type, text }) => (type === 'text' ? text : [])).join('')
const resultOf = ({ result }) => (typeof result === 'string' ? result : JSON.stringify(result))
const dataUrl = ({ mediaType, data, url }) => url ?? `data:${mediaType};base64,${data}`

// The AI SDK.

/** What a provider of the AI SDK is asked: the form that all of them share. */
function toPrompt({ system, messages }) {
  const prompt = system ? [{ role: 'system', content: system }] : []
  for (const { role, parts } of messages) {
    prompt.push({ role, content: parts.map(toPromptPart), ...detailsOf(parts) })
    const calls = parts.filter(isCall)
    if (calls.length) prompt.push({ role: 'tool', content: calls.map(toPromptResult) })
  }
  return prompt
}

/** Reasoning details stand at the message there. */
function detailsOf(parts) {
  const details = parts.map((part) => metadataOf(part, 'openai')).find(Array.isArray)
  return details && { providerOptions: { openrouter: { reasoning_details: details } } }
}

function toPromptPart(part) {
  const { thoughtSignature } = metadataOf(part, 'gemini') ?? {}
  const google = thoughtSignature && { google: { thoughtSignature } }
  if (part.type === 'file') {
    const { mediaType, data, url, filename } = part
    return { type: 'file', mediaType, data: url ? new URL(url) : data, filename }
  }
  if (part.type === 'reasoning') {
    const { id, encrypted_content } = metadataOf(part, 'openai-responses')
    return {
      type: 'reasoning',
      text: part.text,
      providerOptions: {
        ...google,
        anthropic: { signature: metadataOf(part, 'anthropic').signature },
        openai: { itemId: id, reasoningEncryptedContent: encrypted_content },
      },
    }
  }
  if (!isCall(part)) return { type: 'text', text: part.text }
  const { toolCallId, toolName, args } = part
  return { type: 'tool-call', toolCallId, toolName, input: args, providerOptions: { ...google } }
}

function toPromptResult({ toolCallId, toolName, state, error, result }) {
  const output =
    state === 'error'
      ? { type: 'error-text', value: error }
      : { type: typeof result === 'string' ? 'text' : 'json', value: result }
  return { type: 'tool-result', toolCallId, toolName, output }
}

/** Asks a provider of the AI SDK for a stream; `own` are its own names for what has no common one. */
async function askAISDK(model, conversation, own) {
  const { tools, toolChoice, settings = {} } = conversation
  const { temperature, topP, maxTokens, stop, responseFormat } = settings
  await model.doStream({
    prompt: toPrompt(conversation),
    temperature,
    topP,
    maxOutputTokens: maxTokens,
    stopSequences: stop,
    responseFormat: responseFormat && { ...responseFormat, name: 'answer' },
    ...(tools.length && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        inputSchema: parameters,
      })),
      toolChoice: toolChoice ? { type: 'tool', toolName: toolChoice.name } : { type: 'auto' },
    }),
    providerOptions: own?.(settings) ?? {},
  })
}

const openaiOwn = ({ reasoningEffort, parallelToolCalls }) => ({
  openai: { reasoningEffort, parallelToolCalls },
})

// The vendors' own SDKs.

/** The turns of a conversation, each with the calls that are in it. */
const turnsOf = ({ messages }) =>
  messages.map(({ role, parts }) => ({ role, parts, calls: parts.filter(isCall) }))

function toChatMessages(conversation) {
  const { system } = conversation
  const sent = system ? [{ role: 'system', content: system }] : []
  for (const { role, parts, calls } of turnsOf(conversation)) {
    const content = parts.every(({ type }) => type !== 'file')
      ? textOf(parts) || null
      : parts.map((part) => {
          if (part.type === 'text') return { type: 'text', text: part.text }
          const url = dataUrl(part)
          return part.mediaType.startsWith('image/')
            ? { type: 'image_url', image_url: { url } }
            : { type: 'file', file: { filename: part.filename, file_data: url } }
        })
    const tool_calls = calls.map(({ toolCallId: id, toolName: name, args }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }))
    sent.push({ role, content, ...(calls.length && { tool_calls }) })
    for (const call of calls) {
      const output = call.error ?? resultOf(call)
      sent.push({ role: 'tool', tool_call_id: call.toolCallId, content: output })
    }
  }
  return sent
}

const toChatTools = (tools) =>
  tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }))

async function askOpenAI(baseURL, model, conversation) {
  const { tools, toolChoice, settings = {} } = conversation
  const { temperature, topP, maxTokens, stop, reasoningEffort, responseFormat } = settings
  await new OpenAI({ ...options, baseURL }).chat.completions.create({
    model,
    messages: toChatMessages(conversation),
    stream: true,
    stream_options: { include_usage: true },
    temperature,
    top_p: topP,
    max_tokens: maxTokens,
    stop,
    reasoning_effort: reasoningEffort,
    ...(tools.length && { tools: toChatTools(tools) }),
    ...(toolChoice && {
      tool_choice: { type: 'function', function: toolChoice },
      parallel_tool_calls: false,
    }),
    ...(responseFormat && {
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'answer', schema: responseFormat.schema, strict: true },
      },
    }),
  })
}

function toInput(conversation) {
  const input = []
  for (const { role, parts, calls } of turnsOf(conversation)) {
    const texts = []
    for (const part of parts) {
      if (part.type === 'text') {
        if (role === 'user') texts.push({ type: 'input_text', text: part.text })
        else input.push({ role, content: part.text })
      } else if (part.type === 'file') {
        const url = dataUrl(part)
        texts.push(
          part.mediaType.startsWith('image/')
            ? { type: 'input_image', image_url: url }
            : { type: 'input_file', filename: part.filename, file_data: url },
        )
      } else if (part.type === 'reasoning') input.push(metadataOf(part, 'openai-responses'))
      else {
        const { toolCallId: call_id, toolName: name, args } = part
        input.push({ type: 'function_call', call_id, name, arguments: JSON.stringify(args) })
      }
    }
    if (texts.length) input.push({ role, content: texts })
    for (const call of calls) {
      const output = call.error ?? resultOf(call)
      input.push({ type: 'function_call_output', call_id: call.toolCallId, output })
    }
  }
  return input
}

async function askResponses(baseURL, model, conversation) {
  const { system, tools, toolChoice, settings = {} } = conversation
  const { temperature, topP, maxTokens, reasoningEffort, responseFormat } = settings
  await new OpenAI({ ...options, baseURL }).responses.create({
    model,
    instructions: system,
    input: toInput(conversation),
    stream: true,
    store: false,
    include: ['reasoning.encrypted_content'],
    temperature,
    top_p: topP,
    max_output_tokens: maxTokens,
    ...(reasoningEffort && { reasoning: { effort: reasoningEffort } }),
    ...(tools.length && {
      tools: tools.map(({ name, description, parameters }) => ({
        type: 'function',
        name,
        description,
        parameters,
        strict: true,
      })),
    }),
    ...(toolChoice && {
      tool_choice: { type: 'function', ...toolChoice },
      parallel_tool_calls: false,
    }),
    ...(responseFormat && {
      text: {
        format: {
          type: 'json_schema',
          name: 'answer',
          schema: responseFormat.schema,
          strict: true,
        },
      },
    }),
  })
}

function toAnthropicBlock(part) {
  if (part.type === 'text') return { type: 'text', text: part.text }
  if (part.type === 'reasoning') {
    return { ...metadataOf(part, 'anthropic'), thinking: part.text }
  }
  if (isCall(part)) {
    return { type: 'tool_use', id: part.toolCallId, name: part.toolName, input: part.args }
  }
  const { mediaType: media_type, data, url } = part
  return {
    type: media_type.startsWith('image/') ? 'image' : 'document',
    source: url ? { type: 'url', url } : { type: 'base64', media_type, data },
    ...(part.filename && { title: part.filename }),
  }
}

async function askAnthropic(baseURL, model, conversation) {
  const { system, tools, toolChoice, settings = {} } = conversation
  const { temperature, topP, maxTokens = 4096, stop, reasoningEffort, responseFormat } = settings
  const messages = []
  for (const { role, parts, calls } of turnsOf(conversation)) {
    const results = calls.map((call) => ({
      type: 'tool_result',
      tool_use_id: call.toolCallId,
      content: call.error ?? resultOf(call),
      ...(call.error && { is_error: true }),
    }))
    const last = messages.at(-1)
    const content = parts.map(toAnthropicBlock)
    // Neighbours of one role are one turn.
    if (last?.role === role) last.content.push(...content)
    else messages.push({ role, content })
    if (results.length) messages.push({ role: 'user', content: results })
  }
  const schema = responseFormat?.schema
  await new Anthropic({ ...options, baseURL: baseURL.replace('/v1', '') }).messages.create({
    model,
    max_tokens: maxTokens,
    system,
    messages,
    stream: true,
    temperature,
    top_p: topP,
    stop_sequences: stop,
    ...(tools.length && {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: parameters,
      })),
    }),
    ...(toolChoice && {
      tool_choice: { type: 'tool', ...toolChoice, disable_parallel_tool_use: true },
    }),
    ...(reasoningEffort && {
      thinking: { type: 'adaptive' },
      output_config: { effort: reasoningEffort },
    }),
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
  })
}

function toGeminiPart(part) {
  const { id, thoughtSignature } = metadataOf(part, 'gemini') ?? {}
  const signed = thoughtSignature && { thoughtSignature }
  if (part.type === 'text') return { text: part.text }
  if (part.type === 'reasoning') return { text: part.text, thought: true, ...signed }
  if (isCall(part)) return { functionCall: { id, name: part.toolName, args: part.args }, ...signed }
  const { mediaType: mimeType, data, url } = part
  return url ? { fileData: { mimeType, fileUri: url } } : { inlineData: { mimeType, data } }
}

async function askGemini(baseURL, model, conversation) {
  const { system, tools, toolChoice, settings = {} } = conversation
  const { temperature, topP, maxTokens, stop, reasoningEffort, responseFormat } = settings
  const contents = []
  for (const { role, parts, calls } of turnsOf(conversation)) {
    contents.push({ role: role === 'user' ? role : 'model', parts: parts.map(toGeminiPart) })
    const responses = calls.map((call) => ({
      functionResponse: {
        id: metadataOf(call, 'gemini')?.id,
        name: call.toolName,
        response: call.error ? { error: call.error } : { output: call.result },
      },
    }))
    if (responses.length) contents.push({ role: 'user', parts: responses })
  }
  const ai = new GoogleGenAI({
    apiKey: 'key',
    httpOptions: { baseUrl: baseURL.replace('/v1beta', ''), retryOptions: { attempts: 1 } },
  })
  await ai.models.generateContentStream({
    model,
    contents,
    config: {
      systemInstruction: system && { parts: [{ text: system }] },
      temperature,
      topP,
      maxOutputTokens: maxTokens,
      stopSequences: stop,
      ...(tools.length && {
        tools: [
          {
            functionDeclarations: tools.map(({ name, description, parameters }) => ({
              name,
              description,
              parametersJsonSchema: parameters,
            })),
          },
        ],
      }),
      ...(toolChoice && {
        toolConfig: {
          functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [toolChoice.name] },
        },
      }),
      ...(reasoningEffort && {
        thinkingConfig: { includeThoughts: true, thinkingLevel: reasoningEffort },
      }),
      ...(responseFormat && {
        responseMimeType: 'application/json',
        responseJsonSchema: responseFormat.schema,
      }),
    },
  })
}

async function askOllama(host, model, conversation) {
  const { system, tools, settings = {} } = conversation
  const { temperature, topP, maxTokens, stop, reasoningEffort, responseFormat } = settings
  const messages = system ? [{ role: 'system', content: system }] : []
  for (const { role, parts, calls } of turnsOf(conversation)) {
    const images = parts.flatMap(({ type, data }) => (type === 'file' && data ? [data] : []))
    const thinking = parts.find(({ type }) => type === 'reasoning')?.text
    messages.push({
      role,
      content: textOf(parts),
      ...(thinking && { thinking }),
      ...(images.length && { images }),
      ...(calls.length && {
        tool_calls: calls.map(({ toolName: name, args }) => ({
          function: { name, arguments: args },
        })),
      }),
    })
    for (const call of calls) {
      const content = call.error ?? resultOf(call)
      messages.push({ role: 'tool', tool_name: call.toolName, content })
    }
  }
  const chosen = Object.entries({ temperature, top_p: topP, num_predict: maxTokens, stop }).filter(
    ([, value]) => value !== undefined,
  )
  await new Ollama({ host }).chat({
    model,
    messages,
    stream: true,
    ...(tools.length && { tools: toChatTools(tools) }),
    ...(reasoningEffort && { think: reasoningEffort }),
    ...(responseFormat && { format: responseFormat.schema }),
    ...(chosen.length && { options: Object.fromEntries(chosen) }),
  })
}

/** By wire: the clients that speak it. Each is asked by base URL, model and conversation. */
export const clients = {
  openai: {
    openai: askOpenAI,
    '@ai-sdk/openai': (baseURL, model, conversation) =>
      askAISDK(createOpenAI({ ...options, baseURL }).chat(model), conversation, openaiOwn),
  },
  compatible: {
    '@ai-sdk/openai-compatible': (baseURL, model, conversation) =>
      askAISDK(
        createOpenAICompatible({
          name: 'openai',
          baseURL,
          includeUsage: true,
          supportsStructuredOutputs: true,
        })(model),
        conversation,
        ({ reasoningEffort, parallelToolCalls: parallel_tool_calls }) => ({
          openai: { reasoningEffort, parallel_tool_calls },
        }),
      ),
  },
  openrouter: {
    '@openrouter/ai-sdk-provider': (baseURL, model, conversation) =>
      askAISDK(
        createOpenRouter({ ...options, baseURL, compatibility: 'strict' })(model),
        conversation,
        ({ reasoningEffort, parallelToolCalls: parallel_tool_calls }) => ({
          openrouter: {
            ...(reasoningEffort && { reasoning_effort: reasoningEffort }),
            ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
          },
        }),
      ),
  },
  responses: {
    openai: askResponses,
    '@ai-sdk/openai': (baseURL, model, conversation) =>
      askAISDK(
        createOpenAI({ ...options, baseURL }).responses(model),
        conversation,
        (settings) => ({
          openai: { ...openaiOwn(settings).openai, store: false },
        }),
      ),
  },
  anthropic: {
    '@anthropic-ai/sdk': askAnthropic,
    '@ai-sdk/anthropic': (baseURL, model, conversation) =>
      askAISDK(
        createAnthropic({ ...options, baseURL })(model),
        conversation,
        ({ reasoningEffort: effort, parallelToolCalls }) => ({
          anthropic: {
            ...(effort && { thinking: { type: 'adaptive' }, effort }),
            ...(parallelToolCalls === false && { disableParallelToolUse: true }),
          },
        }),
      ),
  },
  gemini: {
    '@google/genai': askGemini,
    '@ai-sdk/google': (baseURL, model, conversation) =>
      askAISDK(
        createGoogleGenerativeAI({ ...options, baseURL })(model),
        conversation,
        ({ reasoningEffort: thinkingLevel }) => ({
          google: {
            ...(thinkingLevel && { thinkingConfig: { includeThoughts: true, thinkingLevel } }),
          },
        }),
      ),
  },
  ollama: { ollama: askOllama },
}
