import type { Row } from '../wire'
import type { ShownPart } from './contenders'

/** How parts are drawn: as they are, by a renderer that starts anew each time, as a component for each row. */
export type Look = 'plain' | 'markdown' | 'rows'

/** A row that may not be whole. */
export type PartialRow = Partial<Row>

const sizeOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 0
  if ('items' in value) return sizeOf(value.items)
  if ('values' in value) return sizeOf(value.values)
  return Array.isArray(value) ? value.length : 1
}

/** A text as it is, a call by what its arguments have so far. */
export function toText(part: ShownPart): string {
  if (part.type === 'text') return part.text ?? ''
  void part.version
  return `${sizeOf(part.args)} so far`
}

/** The rows of the arguments; `copies` where the tree is changed in place, and what grows must be seen. */
export function rowsOf(part: ShownPart, copies: boolean): readonly PartialRow[] {
  void part.version
  const rows = (part.args as { items?: readonly PartialRow[] } | undefined)?.items ?? []
  return copies ? rows.map((row, index) => (index < rows.length - 1 ? row : { ...row })) : rows
}

/** What a row shows. */
export const rowText = ({ id, name = '', note = '', tags = [], at }: PartialRow): string =>
  `${id ?? ''} ${name} ${note} ${tags.join()} ${at?.x ?? ''} ${at?.y?.join() ?? ''}`

/** A little of Markdown, the whole text each time: what it costs grows with the text. */
export const toHtml = (text: string): string =>
  text
    .replace(/[&<]/g, (char) => (char === '&' ? '&amp;' : '&lt;'))
    .split(/\n{2,}/)
    .map((block) => `<p>${block.replace(/\*\*(\S+?)\*\*/g, '<b>$1</b>')}</p>`)
    .join('')
