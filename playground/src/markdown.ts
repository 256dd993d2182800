import DOMPurify from 'dompurify'
import { Marked, type Tokens } from 'marked'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => escapes[character] ?? character)
}

const marked = new Marked({
  gfm: true,
  renderer: {
    // What a model writes as HTML is shown as it was written; only line breaks, usual in tables, are let through.
    html: ({ text }) => (/^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escapeHtml(text)),
    // A picture's address can carry out what was said in the chat, so nothing is loaded by itself.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    // Wide tables scroll by themselves, not the page.
    table(token: Tokens.Table) {
      const cell = (tag: string, { tokens, align }: Tokens.TableCell) =>
        `<${tag}${align ? ` align="${align}"` : ''}>${this.parser.parseInline(tokens)}</${tag}>`
      const row = (tag: string, cells: Tokens.TableCell[]) =>
        `<tr>${cells.map((one) => cell(tag, one)).join('')}</tr>`
      const body = token.rows.map((cells) => row('td', cells)).join('')
      const table = `<table><thead>${row('th', token.header)}</thead><tbody>${body}</tbody></table>`
      return `<div class="scroll-x" tabindex="0" role="group" aria-label="Table">${table}</div>`
    },
    code({ text, lang }) {
      const [language = ''] = (lang ?? '').split(/\s/)
      const label = `Code${language ? `, ${escapeHtml(language)}` : ''}`
      return `<pre tabindex="0" role="group" aria-label="${label}"><code>${escapeHtml(text)}</code></pre>`
    },
    // Answers stand below the page's own headings, the first two levels alike: models begin with either.
    heading({ tokens, depth }) {
      const level = Math.min(Math.max(depth + 1, 3), 6)
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`
    },
  },
})

const tags =
  'p br strong em del code pre blockquote ul ol li h3 h4 h5 h6 hr a table thead tbody tr th td div input'

const allowed = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: 'href title align start class tabindex role aria-label type checked disabled'.split(
    ' ',
  ),
  // Applied to every attribute: anything but another scheme than these.
  ALLOWED_URI_REGEXP: /^(?:(?:https?|mailto):|[^a-z]|[a-z+.-]+(?:[^a-z+.\-:]|$))/i,
}

/** Opens links elsewhere, and tells the other page nothing. */
function openElsewhere(node: Element): void {
  if (node.tagName !== 'A') return
  node.setAttribute('target', '_blank')
  node.setAttribute('rel', 'noopener noreferrer nofollow')
}

const purify = DOMPurify(window)
purify.addHook('afterSanitizeAttributes', openElsewhere)

/** One block of a Markdown text: its source, which tells whether it changed, and how to draw it. */
export interface MarkdownBlock {
  raw: string
  /** Safe HTML. */
  html(): string
}

/** Splits Markdown into blocks, so that a growing text draws its last block anew and leaves the others. */
export function toBlocks(text: string): MarkdownBlock[] {
  return marked
    .lexer(text)
    .filter(({ type }) => type !== 'space' && type !== 'def')
    .map((token) => ({
      raw: token.raw,
      html: () => purify.sanitize(marked.parser([token]), allowed),
    }))
}
