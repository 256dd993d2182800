import { fromJSON, toJSON, type Message } from 'vue-llm/core'

const storageKey = 'vue-llm-playground:chat'

/** The chat as this tab left it: a reload loses nothing, and what waits for a person still waits. */
export function loadTranscript(): Message[] {
  try {
    const stored = sessionStorage.getItem(storageKey)
    return stored === null ? [] : fromJSON(stored)
  } catch {
    return []
  }
}

/** Keeps the chat for a reload of this tab. */
export function saveTranscript(messages: readonly Message[]): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(toJSON(messages)))
  } catch {
    // No storage, or a chat too long for it: then a reload starts anew.
  }
}
