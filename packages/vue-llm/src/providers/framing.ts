import { createParser } from 'eventsource-parser'

/**
 * Gets an event's text. Returns whether it could be read; where not, `lenient` lets it pass without an error.
 * @internal
 */
export type ReadEvent = (text: string, name?: string, lenient?: boolean) => boolean

/** Takes the text of an answer as it comes, and its end. @internal */
export interface Framing {
  feed(text: string): void
  end(): void
}

/**
 * Cuts an answer into events. SSE, JSON lines and one JSON value are told apart by the first character, since servers
 * and proxies often name another content type: SSE starts with a field's name or a colon, JSON with a bracket.
 * @internal
 */
export function createFraming(read: ReadEvent): Framing {
  let framing: Framing | undefined
  let start = ''
  return {
    feed(text) {
      if (framing) return framing.feed(text)
      start += text
      const first = start.trimStart()[0]
      if (!first) return
      framing = first === '{' || first === '[' ? jsonFraming(read) : sseFraming(read)
      framing.feed(start.trimStart())
    },
    end: () => framing?.end(),
  }
}

// A kept parser rather than a loop of our own, which would be 1.1 kB smaller: the project's frame names it.
function sseFraming(read: ReadEvent): Framing {
  let final = false
  let stray = ''
  const { feed } = createParser({
    onEvent: ({ data, event }) => void read(data, event, final),
    // Servers that fail in the middle may write their error as plain JSON, over many lines.
    onError: ({ line = '' }) => void (stray += line),
  })
  return {
    feed,
    end() {
      // Servers forget the last blank line; what was cut inside an event is no error, but no end either.
      final = true
      feed('\n\n')
      read(stray, undefined, true)
    },
  }
}

function jsonFraming(read: ReadEvent): Framing {
  let rest = ''
  let first = true
  let lines = true
  return {
    feed(text) {
      let from = 0
      let to
      while (lines && (to = text.indexOf('\n', from)) >= 0) {
        rest += text.slice(from, to + 1)
        from = to + 1
        // A first line that is no JSON by itself: one value over many lines.
        lines = read(rest, undefined, first)
        if (lines) rest = ''
        first = false
      }
      rest += text.slice(from)
    },
    end: () => void read(rest, undefined, true),
  }
}
