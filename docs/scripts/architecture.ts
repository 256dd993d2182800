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

interface Edge {
  from: string
  to: string
  isLazy: boolean
}

/** The arrows that are drawn: none that follows from others. */
function edgesOf(graph: readonly Ring[]): Edge[] {
  const byName = new Map(graph.map((ring) => [ring.name, [...ring.imports, ...ring.lazy]]))
  const reaches = (from: string, to: string): boolean =>
    (byName.get(from) ?? []).some((next) => next === to || reaches(next, to))
  return graph.flatMap(({ name, imports, lazy }) => {
    const targets = [...imports, ...lazy]
    return targets
      .filter((to) => !targets.some((other) => other !== to && reaches(other, to)))
      .map((to) => ({ from: name, to, isLazy: lazy.includes(to) }))
  })
}

/** The rows from the bottom up: each ring stands right below the lowest that imports it. */
function rowsOf(graph: readonly Ring[], edges: readonly Edge[]): string[][] {
  const depthOf = (name: string): number =>
    Math.max(-1, ...edges.filter(({ from }) => from === name).map(({ to }) => depthOf(to))) + 1
  const rowOf = (name: string): number => {
    const above = edges.filter(({ to }) => to === name).map(({ from }) => rowOf(from))
    return above.length ? Math.min(...above) - 1 : depthOf(name)
  }
  const rows: string[][] = []
  for (const { name } of graph) (rows[rowOf(name)] ??= []).push(name)
  return rows.map((row) => row.toSorted())
}

/** The graph as a picture: who stands above imports who stands below. Colours come from the page. */
export function drawRings(graph: readonly Ring[], label: string): string {
  const { width, height, gapX, gapY, margin } = size
  const edges = edgesOf(graph)
  const rows = rowsOf(graph, edges)
  const columns = Math.max(...rows.map(({ length }) => length))
  const fullWidth = columns * (width + gapX) - gapX + 2 * margin
  const fullHeight = rows.length * (height + gapY) - gapY + 2 * margin
  const topOf = (row: number) => fullHeight - margin - height - row * (height + gapY)
  const leftOf = (row: readonly string[], index: number) =>
    (fullWidth - row.length * (width + gapX) + gapX) / 2 + index * (width + gapX)
  const places = new Map(
    rows.flatMap((row, at) => row.map((name, index) => [name, { at, x: leftOf(row, index) }])),
  )
  /** An arrow; where rows lie between, it passes them by the nearest gap between two boxes. */
  const draw = ({ from, to, isLazy }: Edge): string => {
    const start = places.get(from)
    const end = places.get(to)
    if (!start || !end) return ''
    let [x, y] = [start.x + width / 2, topOf(start.at) + height]
    let path = `M${x} ${y}`
    const curve = (toX: number, toY: number) => {
      const middle = (y + toY) / 2
      path += `C${x} ${middle} ${toX} ${middle} ${toX} ${toY}`
      x = toX
    }
    for (let at = start.at - 1; at > end.at; at--) {
      const row = rows[at] ?? []
      const gaps = [...row.keys(), row.length].map((index) => leftOf(row, index) - gapX / 2)
      const gap = gaps.toSorted((a, b) => Math.abs(a - x) - Math.abs(b - x))[0] ?? x
      curve(gap, topOf(at))
      y = topOf(at) + height
      path += `V${y}`
    }
    curve(end.x + width / 2, topOf(end.at) - 6)
    return `<path class="edge${isLazy ? ' lazy' : ''}" d="${path}" marker-end="url(#arrow)"/>`
  }
  const boxes = [...places].map(([name, { at, x }]) => {
    const y = topOf(at)
    return (
      `<rect class="ring" x="${x}" y="${y}" width="${width}" height="${height}" rx="8"/>` +
      `<text x="${x + width / 2}" y="${y + height / 2 + 5}" text-anchor="middle">${name}</text>`
    )
  })
  const marker =
    '<marker id="arrow" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/></marker>'
  return `<svg viewBox="0 0 ${fullWidth} ${fullHeight}" role="img" aria-label="${label}"><defs>${marker}</defs>${edges.map(draw).join('')}${boxes.join('')}</svg>`
}

/** The graph in words, for those who do not see the picture. */
export function tellRings(graph: readonly Ring[]): string[] {
  return graph.map(({ name, imports, lazy }) => {
    const list = [...imports, ...lazy.map((one) => `${one} (by import() only)`)]
    return `${name}: ${list.length ? list.join(', ') : 'nothing'}`
  })
}
