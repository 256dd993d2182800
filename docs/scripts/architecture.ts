import { posix } from 'node:path'
import ts from 'typescript'
import { rings } from '../../scripts/tests/importGraph.ts'
import { readSources } from '../../scripts/tests/sources.ts'

/** A ring of the package and the rings that its files import, as the sources say. */
export interface Ring {
  name: string
  imports: string[]
  /** Those entered by `import()` only. */
  lazy: string[]
}

const names = Object.keys(rings).toSorted((a, b) => b.length - a.length)
const ringOf = (path: string) => names.find((name) => path === name || path.startsWith(`${name}/`))

/** The real import graph of the sources, ring by ring. */
export function readRings(): Ring[] {
  const found = new Map<string, { static: Set<string>; lazy: Set<string> }>()
  for (const { path, text } of readSources()) {
    const ring = ringOf(path)
    if (ring === undefined) continue
    const edges = found.get(ring) ?? { static: new Set(), lazy: new Set() }
    found.set(ring, edges)
    for (const { fileName, pos } of ts.preProcessFile(text).importedFiles) {
      if (!fileName.startsWith('.')) continue
      const target = ringOf(posix.join(posix.dirname(path), fileName))
      if (target === undefined || target === ring) continue
      const isLazy = /import\(\s*['"]?$/.test(text.slice(0, pos + 1))
      edges[isLazy ? 'lazy' : 'static'].add(target)
    }
  }
  return [...found].map(([name, { static: eager, lazy }]) => ({
    name,
    imports: [...eager].toSorted(),
    lazy: [...lazy].filter((one) => !eager.has(one)).toSorted(),
  }))
}

const size = { width: 150, height: 44, gapX: 26, gapY: 54, margin: 12 }

/** The graph as a picture: who stands above imports who stands below. Colours come from the page. */
export function drawRings(graph: readonly Ring[], label: string): string {
  const { width, height, gapX, gapY, margin } = size
  const byName = new Map(graph.map((ring) => [ring.name, ring]))
  const depthOf = (name: string): number => {
    const { imports = [], lazy = [] } = byName.get(name) ?? {}
    return Math.max(-1, ...[...imports, ...lazy].map(depthOf)) + 1
  }
  const rows: string[][] = []
  for (const { name } of graph) (rows[depthOf(name)] ??= []).push(name)
  const columns = Math.max(...rows.map(({ length }) => length))
  const fullWidth = columns * (width + gapX) - gapX + 2 * margin
  const fullHeight = rows.length * (height + gapY) - gapY + 2 * margin
  const places = new Map(
    rows.flatMap((row, depth) =>
      row.toSorted().map((name, index) => {
        const left = (fullWidth - row.length * (width + gapX) + gapX) / 2
        const y = fullHeight - margin - height - depth * (height + gapY)
        return [name, { x: left + index * (width + gapX), y }] as const
      }),
    ),
  )
  const lines = graph.flatMap(({ name, imports, lazy }) =>
    [...imports, ...lazy].map((target) => {
      const from = places.get(name)
      const to = places.get(target)
      if (!from || !to) return ''
      const [x1, y1, x2, y2] = [from.x + width / 2, from.y + height, to.x + width / 2, to.y]
      const middle = (y1 + y2) / 2
      const isLazy = lazy.includes(target)
      return `<path class="edge${isLazy ? ' lazy' : ''}" d="M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2 - 6}" marker-end="url(#arrow)"/>`
    }),
  )
  const boxes = [...places].map(
    ([name, { x, y }]) =>
      `<rect class="ring" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>` +
      `<text x="${x + width / 2}" y="${y + height / 2 + 5}" text-anchor="middle">${name}</text>`,
  )
  const marker =
    '<marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker>'
  return `<svg viewBox="0 0 ${fullWidth} ${fullHeight}" role="img" aria-label="${label}"><defs>${marker}</defs>${lines.join('')}${boxes.join('')}</svg>`
}

/** The graph in words, for those who do not see the picture. */
export function tellRings(graph: readonly Ring[]): string[] {
  return graph.map(({ name, imports, lazy }) => {
    const list = [...imports, ...lazy.map((one) => `${one} (by import() only)`)]
    return `${name}: ${list.length ? list.join(', ') : 'nothing'}`
  })
}
