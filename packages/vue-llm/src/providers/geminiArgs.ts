/** One piece of streamed arguments: a value, or more of a string, at a JSON path (RFC 9535). @internal */
export interface PartialArg {
  jsonPath?: unknown
  stringValue?: string | null
  numberValue?: number | null
  boolValue?: boolean | null
  nullValue?: unknown
  willContinue?: unknown
}

/** A step of a path: the name or index of a value in what holds it. */
interface Key {
  name: string
  isIndex: boolean
  /** From the root to here, in one way of writing. */
  path: string
}

/**
 * Writes arguments that come as values at paths as the JSON text that they are. The model writes them in the order of
 * the text; a path that goes back throws, since what it adds to is written.
 * @internal
 */
export function createGeminiArgs() {
  /** The objects and lists that are written at the moment. */
  const open: { path: string; closing: string }[] = []
  const written = new Set<string>()
  /** The path of the string that may still grow. */
  let growing: string | undefined
  /** Whether nothing is in the innermost object or list. */
  let isEmpty = true

  function close(depth: number): string {
    let text = growing === undefined ? '' : '"'
    growing = undefined
    while (open.length > depth) text += open.pop()?.closing ?? ''
    return text
  }

  /** Closes and opens what lies between the value before and the one at these keys. */
  function moveTo(keys: readonly Key[]): string {
    let depth = 0
    while (depth < keys.length - 1 && open[depth]?.path === keys[depth]?.path) depth++
    let text = close(depth)
    for (const { path, name, isIndex } of keys.slice(depth)) {
      if (written.has(path)) throw new Error(`the argument ${path} comes twice`)
      written.add(path)
      if (!isEmpty) text += ','
      if (depth && !isIndex) text += `${JSON.stringify(name)}:`
      const child = keys[++depth]
      isEmpty = !!child
      if (!child) break
      text += child.isIndex ? '[' : '{'
      open.push({ path, closing: child.isIndex ? ']' : '}' })
    }
    return text
  }

  return {
    /** The text that a piece adds. */
    write(piece: PartialArg): string {
      const { stringValue, numberValue, boolValue } = piece
      const jsonPath = `${piece.jsonPath}`
      const keys = keysOf(jsonPath)
      const path = keys.at(-1)?.path
      const value =
        stringValue ?? numberValue ?? boolValue ?? ('nullValue' in piece ? null : undefined)
      if (growing === path) return stringValue ? JSON.stringify(stringValue).slice(1, -1) : ''
      if (value === undefined) {
        // It only ends what was written, or begins what is to come, or is an empty list or object.
        if (written.has(`${path}`) || piece.willContinue) return ''
        return moveTo(keys) + (jsonPath.endsWith('[]') ? '[]' : '{}')
      }
      const text = moveTo(keys) + JSON.stringify(value)
      if (typeof value !== 'string') return text
      growing = path
      return text.slice(0, -1)
    },
    /** The text that ends it all. */
    end: (): string => close(0),
  }
}

/** The keys of a path such as `$.steps[0].name` or `$['a.b']`, the root first. */
function keysOf(jsonPath: string): Key[] {
  const keys = [{ name: '', isIndex: false, path: '$' }]
  const names = jsonPath.matchAll(/\[(\d+)\]|\[(['"])(.*?)\2\]|\.([^.[]+)/g)
  for (const [, index, , quoted, plain] of names) {
    const name = index ?? quoted ?? plain ?? ''
    const path = `${keys.at(-1)?.path}[${index ?? JSON.stringify(name)}]`
    keys.push({ name, isIndex: index !== undefined, path })
  }
  return keys
}
