import type { ChatRequest, Chunk, FinishReason, Provider, Usage } from '../core'
import type { RetryOptions } from './attempt'

/** A value, or a function that gives it when a request is sent; the function may be async. */
export type Given<T> = T | (() => T | Promise<T>)

/** Headers by name; `undefined` leaves one out. */
export type HeaderValues = Readonly<Record<string, string | undefined>>

/** What every provider's options hold. */
export interface CommonOptions extends Pick<RetryOptions, 'maxRetries' | 'timeouts'> {
  /** Where the API starts, for instance `http://localhost:11434/v1`; the provider adds its path. */
  baseURL?: string | undefined
  /** The whole endpoint, in place of `baseURL` and path. */
  url?: string | undefined
  /** The key, or a function that fetches one at each request. Never put a secret key into a page: use a proxy. */
  apiKey?: Given<string | undefined>
  /** Headers beside the provider's own, which they replace. */
  headers?: Given<HeaderValues | undefined>
  /** Sends the request. @default the global `fetch` */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
}

/** What is posted; `request.body` is merged over `body`, and what is `undefined` is left out. */
export interface WireRequest {
  /** Added to `baseURL`; not used where the options hold a `url`. */
  path?: string
  body: object
  headers?: HeaderValues
  /** `body` is posted as it is: what `request.body` holds is in it already, or meant to be left out. */
  isWhole?: boolean
}

/** Where a {@link StreamReader} writes what it read. */
export interface Round {
  /** Adds a chunk. Give a fresh object: adjacent deltas of one network read are joined in place. */
  emit(chunk: Chunk): void
  /** Ends the stream with an error. `error` may be whatever the server sent. @default code `provider` */
  fail(error: unknown, code?: string): void
  /** Replaces the configured secrets in a text that is shown. `fail` does it by itself. */
  redact(text: string): string
  /** The id for a new call: the given one, or a new one where that is missing or not unique in the transcript. */
  callId(id?: unknown): string
  /** Set once the server said why the round ended; the `step-end` is written at the end of the stream. */
  finishReason?: FinishReason
  /** The server's own word for it. */
  rawFinishReason?: string
  usage?: Usage
  /** Set where the wire has an end mark of its own; `[DONE]` sets it too. Nothing is read after it. */
  done?: boolean
  /**
   * Set where the wire has rounds of its own: `step-end` and `error` chunks are emitted by the reader, and none is
   * written at the end mark.
   */
  ownSteps?: boolean
}

/** Reads the events of one answer; keeps what it must remember between them. */
export interface StreamReader {
  /** Takes one event, decoded. Fields may hold anything: what it throws ends the stream as `invalid-response`. */
  event(data: object, name?: string): void
  /**
   * Gives what is still held back. `whole` tells that the round ended by itself: calls that are still open are
   * complete then, and never otherwise.
   */
  end?(whole: boolean): void
}

/** What makes a provider: how a request is written, and how the events of its answer are read. */
export interface ProviderDefinition<Own extends object = object> {
  name: string
  /** The model is called by someone else, who may know tools that this side does not. */
  remote?: true
  /** The wire has a form for `settings.responseFormat`, and `toRequest` writes it. */
  structuredOutput?: true
  /** Where the API starts unless the options say otherwise. */
  baseURL?: string
  /** The headers that carry the key. @default `authorization: Bearer …` */
  toAuth?(apiKey: string): HeaderValues
  /** Writes the request; `stream` is false for `complete()`. */
  toRequest(request: ChatRequest, options: CommonOptions & Own, stream: boolean): WireRequest
  /** Starts the reading of one answer, streamed or not. */
  toChunks(round: Round, request: ChatRequest, options: CommonOptions & Own): StreamReader
}

/** Creates a provider; the options may be left out where none is required. */
export type ProviderCreator<Own extends object = object> =
  Record<never, never> extends Own
    ? (options?: CommonOptions & Own) => Provider
    : (options: CommonOptions & Own) => Provider
