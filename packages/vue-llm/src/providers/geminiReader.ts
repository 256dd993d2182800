import type { FinishReason } from '../core'
import { createGeminiArgs } from './geminiArgs'
import type {
  GeminiMetadata,
  WireCall,
  WireCandidate,
  WireEvent,
  WirePart,
  WireUsage,
} from './geminiWire'
import { setUsage } from './setUsage'
import { createSources } from './sources'
import type { Round, StreamReader } from './types'

/** A call whose arguments may still grow. */
interface Call {
  id: string
  wire: WireCall
  args: ReturnType<typeof createGeminiArgs>
}

const reasons: [RegExp, FinishReason][] = [
  [/^STOP/, 'stop'],
  [/^MAX/, 'length'],
  [/SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED|SPII/, 'content-filter'],
  [/^(MALFORMED|UNEXPECTED|TOO_MANY|MISSING)/, 'error'],
  // Not `…_UNSPECIFIED`, which is no reason.
  [/^(?!.*UNSPEC)./, 'other'],
]

const metadata = (gemini: GeminiMetadata) => ({ providerMetadata: { gemini } })

/** Reads `generateContent`, streamed or whole. @internal */
// long: closures over the state of one answer
export function createGeminiReader(round: Round): StreamReader {
  const { emit } = round
  const sources = createSources(round)
  /** Ids of calls that are whole. */
  const calls: string[] = []
  /** Calls that go on; a piece without a name belongs to the last. */
  const growing: Call[] = []
  /** What the server runs at the moment. */
  const running: { id: string; part: WirePart }[] = []
  /** The kind of text that was given last, if no other part came after it. */
  let last: unknown

  function readText({ text, thought, thoughtSignature }: WirePart): void {
    if (typeof text !== 'string') return
    const type = thought ? 'reasoning-delta' : 'text-delta'
    // A signature comes with a text, or alone after it.
    if (!text && !(thoughtSignature && last === type)) return
    last = type
    emit({ type, text, ...(thoughtSignature ? metadata({ thoughtSignature }) : {}) })
  }

  function giveArgs(toolCallId: string, argsText: string): void {
    if (argsText) emit({ type: 'tool-call-delta', toolCallId, argsText })
  }

  function readCall(wire: WireCall, thoughtSignature: unknown): void {
    const { id, name, args, partialArgs, willContinue } = wire
    let call = growing.at(-1)
    // Servers may repeat the name with each piece.
    if (name && !(call && call.wire.name === name && call.wire.id === id)) {
      call = { id: round.callId(id), wire, args: createGeminiArgs() }
      growing.push(call)
      emit({
        type: 'tool-call-start',
        toolCallId: call.id,
        toolName: `${name}`,
        ...metadata({ id, thoughtSignature }),
      })
      if (args) giveArgs(call.id, typeof args === 'string' ? args : JSON.stringify(args))
    }
    if (!call) return
    for (const piece of partialArgs ?? []) giveArgs(call.id, call.args.write(piece))
    if (willContinue || partialArgs?.some((piece) => piece.willContinue)) return
    growing.pop()
    giveArgs(call.id, call.args.end())
    calls.push(call.id)
  }

  /** What the server runs itself: code, or a tool of its own. */
  function readServer(part: WirePart): void {
    const { executableCode: code, toolCall, codeExecutionResult, toolResponse } = part
    if (code || toolCall) {
      const toolCallId = round.callId(toolCall?.id)
      running.push({ id: toolCallId, part })
      emit({
        type: 'tool-call-end',
        toolCallId,
        toolName: code ? 'code_execution' : `${toolCall?.toolType}`,
        args: code ?? toolCall?.args ?? {},
        providerExecuted: true,
      })
    } else if (codeExecutionResult ?? toolResponse) {
      const index = running.findIndex(({ part: one }) => one.toolCall?.id === toolResponse?.id)
      const [call] = running.splice(Math.max(index, 0), 1)
      if (!call) return
      emit({
        type: 'tool-result',
        toolCallId: call.id,
        result: codeExecutionResult ?? toolResponse?.response ?? null,
        ...metadata({ parts: [call.part, part] }),
      })
    }
  }

  function readPart(part: WirePart): void {
    const { functionCall, inlineData: file, thought, thoughtSignature } = part
    if (part.text !== undefined) return readText(part)
    last = undefined
    if (functionCall) return readCall(functionCall, thoughtSignature)
    // Drafts that the model thought with are not shown.
    if (!file) return readServer(part)
    if (thought) return
    emit({
      type: 'file',
      mediaType: `${file.mimeType}`,
      data: `${file.data}`,
      ...metadata({ thoughtSignature }),
    })
  }

  function end(finishReason: FinishReason, raw: unknown, message: unknown): void {
    round.finishReason = finishReason
    round.rawFinishReason = `${raw}`
    if (finishReason === 'error')
      round.fail(`${message || 'the model failed to write its call'} (${raw})`)
    else if (message) emit({ type: 'text-delta', text: `${message}`, id: 'refusal' })
  }

  function readCandidate(candidate: WireCandidate): void {
    const { content, finishReason, finishMessage, groundingMetadata } = candidate
    for (const part of content?.parts ?? []) if (part) readPart(part)
    for (const ground of groundingMetadata?.groundingChunks ?? []) {
      for (const source of Object.values(ground ?? {})) sources.add(source?.uri, source?.title)
    }
    const reason = reasons.find(([pattern]) => pattern.test(finishReason ?? ''))?.[1]
    if (reason) end(reason, finishReason, reason === 'error' && finishMessage)
  }

  function readUsage(usage: WireUsage): void {
    const { promptTokenCount, candidatesTokenCount, cachedContentTokenCount, thoughtsTokenCount } =
      usage
    setUsage(
      round,
      promptTokenCount ?? 0,
      // Here thoughts are counted beside the output.
      (candidatesTokenCount ?? 0) + (thoughtsTokenCount ?? 0),
      cachedContentTokenCount,
      thoughtsTokenCount,
    )
  }

  return {
    event({ candidates, promptFeedback, usageMetadata }: WireEvent) {
      if (usageMetadata) readUsage(usageMetadata)
      // The others are other answers. After a reason more may come: a round of code ends once itself.
      for (const one of candidates ?? []) if (one && !one.index) readCandidate(one)
      const { blockReason, blockReasonMessage } = promptFeedback ?? {}
      if (blockReason) end('content-filter', blockReason, blockReasonMessage)
    },
    end(whole) {
      if (whole) for (const toolCallId of calls) emit({ type: 'tool-call-end', toolCallId })
      sources.end()
    },
  }
}
