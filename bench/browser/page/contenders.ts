import type { Ref } from 'vue'
import { openByHand } from './byHand'
import { openOurs, openSingly } from './ours'

/** What is shown of a part; `version` tells of a tree that is changed in place. */
export interface ShownPart {
  type: string
  text?: string
  args?: unknown
  version?: number
}

/** What is shown of a message. */
export interface ShownMessage {
  id: string
  role: string
  parts: readonly ShownPart[]
}

/** A chat as the page draws it, whoever reads it. */
export interface BenchChat {
  messages: Readonly<Ref<readonly ShownMessage[]>>
  /** Resolves when the answer is whole. */
  send(): Promise<unknown>
  clear(): void
  /** Whether the rows of arguments are values that never change; else what grows has to be copied to be drawn. */
  hasSnapshots?: boolean
}

/** Opens a chat within a component. */
export type OpenChat = (
  url: string,
  fetch: typeof globalThis.fetch,
  earlier: readonly { id: string; role: 'user' | 'assistant'; text: string }[],
) => BenchChat

/** Who is compared, by name. */
export const contenders = {
  'by hand': openByHand(false),
  'by hand, per frame': openByHand(true),
  'vue-llm': openOurs,
  'vue-llm, singly': openSingly,
} satisfies Record<string, OpenChat>

/** The name of one of the {@link contenders}. */
export type Contender = keyof typeof contenders
