/** One piece of streamed arguments: a value, or more of a string, at a JSON path (RFC 9535). @internal */
export interface PartialArg {
  jsonPath?: unknown
  stringValue?: string | null
  numberValue?: number | null
  boolValue?: boolean | null
  nullValue?: unknown
  willContinue?: unknown
}

/** An object or list that is written at the moment. */
interface Container {
  path: string
  closing: string
  isEmpty: boolean
}

/**
 * Writes arguments that come as values at paths as the JSON text that they are. The model writes them in the order of
 * the text; a path that goes back throws, since what it adds to is written.
 * @internal
 */
export function createGeminiArgs() {
  const open: Container[] = []
  const written = new Set<string>()
  /** The path of the string that may still grow. */
  let growing: string | undefined

  function close(depth: number): string {
    let text = growing === undefined ? '' : '"'
    growing = undefined
    while (open.length > depth) text += open.pop()?.closing ?? ''
    return text
  }

  /** What stands before a value: a comma, and its key in an object. */
  function before(path: string, key: string): string {
    if (written.has(path)) throw new Error(`the argument ${path} comes twice`)
    written.add(path)
    const parent = open.at(-1)
    if (!parent) return ''
    const comma = parent.isEmpty ? '' : ','
    parent.isEmpty = false
    return comma + (parent.closing === '}' ? `${JSON.stringify(key)}:` : '')
  }

  /** Closes and opens what lies between the value before and the one at these keys. */
  function moveTo(keys: readonly Key[]): string {
    const containers = ['$', ...keys.slice(0, -1).map(({ path }) => path)]
    let depth = 0
    while (depth < containers.length && open[depth]?.path === containers[depth]) depth++
    let text = close(depth)
    for (; depth < containers.length; depth++) {
      const path = `${containers[depth]}`
      text += before(path, keys[depth - 1]?.name ?? '')
      const isList = keys[depth]?.isIndex
      open.push({ path, closing: isList ? ']' : '}', isEmpty: true })
      text += isList ? '[' : '{'
    }
    return text
  }

  return {
    /** The text that a piece adds. */
    write(piece: PartialArg): string {
      const { stringValue, numberValue, boolValue } = piece
      const jsonPath = `${piece.jsonPath}`
      const keys = keysOf(jsonPath)
      const last = keys.at(-1)
      if (!last) return ''
      const { path, name } = last
      const value =
        stringValue ?? numberValue ?? boolValue ?? ('nullValue' in piece ? null : undefined)
      if (growing === path) return stringValue ? JSON.stringify(stringValue).slice(1, -1) : ''
      // Without a value it only ends what was written, or is an empty list or object.
      if (value === undefined) {
        if (written.has(path) || piece.willContinue) return ''
        return moveTo([...keys, { path, name, isIndex: jsonPath.endsWith('[]') }])
      }
      const text = moveTo(keys) + before(path, name) + JSON.stringify(value)
      if (typeof value !== 'string') return text
      growing = path
      return text.slice(0, -1)
    },
    /** The text that ends it all. */
    end: (): string => (open.length ? close(0) : ''),
  }
}

interface Key {
  name: string
  isIndex: boolean
  /** From the root to here, in one way of writing. */
  path: string
}

/** The keys of a path such as `$.steps[0].name` or `$['a.b']`. */
function keysOf(jsonPath: string): Key[] {
  let path = '$'
  return Array.from(
    jsonPath.slice(1).matchAll(/\[(\d+)\]|\[(['"])(.*?)\2\]|\.([^.[]+)/g),
    ([, index, , quoted, plain]) => {
      const name = index ?? quoted ?? plain ?? ''
      path += `[${index ?? JSON.stringify(name)}]`
      return { name, isIndex: index !== undefined, path }
    },
  )
}
