/** An answer that came while another tab was in front. */
export interface HiddenReply {
  /** Whether the page says of itself that it was hidden, from the first to the last. */
  isHidden: boolean
  /** Frames that it was given meanwhile. */
  frames: number
  /** How often what it would show was written. */
  writes: number
  /** Milliseconds until the answer was whole. */
  ms: number
}

/** Watches the page while it reads an answer. */
export async function readHidden(send: () => Promise<number>): Promise<HiddenReply> {
  let frames = -1
  let writes = 0
  let isHidden = document.hidden
  const count = () => {
    frames++
    requestAnimationFrame(count)
  }
  count()
  document.addEventListener('visibilitychange', () => (isHidden = false), { once: true })
  const observer = new MutationObserver(() => writes++)
  observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  const ms = await send()
  observer.disconnect()
  return { isHidden, frames, writes, ms }
}
