/** A document that grows; `root` is one tree that is changed in place. */
export interface LiveJson {
  readonly root: unknown
  push(text: string): void
}

type Container = Record<string | number, unknown>

const isSpace = (code: number) => code === 32 || code === 10 || code === 13 || code === 9

/**
 * Parses a document as it comes, the way one writes it for one's own page: each character is looked at once, what is wrong
 * is not found, and whoever shows the tree has to know that it changes.
 */
// long: the variables of one parser and the small steps that share them
export function createLiveJson(): LiveJson {
  const open: Container[] = []
  const keys: (string | number)[] = []
  let root: unknown
  /** What is read: nothing yet, a name, a string, a number or word. */
  let reading: '' | 'name' | 'string' | 'word' = ''
  let token = ''
  let escape = ''
  let awaitsName = false

  const put = (value: unknown) => {
    const into = open.at(-1)
    const key = keys.at(-1)
    if (into && key !== undefined) into[key] = value
    else root = value
  }
  const enter = (value: Container) => {
    put(value)
    open.push(value)
    keys.push(Array.isArray(value) ? 0 : '')
    awaitsName = !Array.isArray(value)
  }
  const next = () => {
    const key = keys.at(-1)
    if (typeof key === 'number') keys[keys.length - 1] = key + 1
    else awaitsName = true
  }
  const readEscape = (char: string) => {
    escape += char
    if (escape.length < (escape[1] === 'u' ? 6 : 2)) return
    token += JSON.parse(`"${escape}"`) as string
    escape = ''
  }
  const readString = (text: string, from: number): number => {
    let i = from
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === 34 || code === 92) break
    }
    token += text.slice(from, i)
    if (i === text.length) return i
    if (text[i] === '\\') escape = '\\'
    else if (reading === 'name') {
      keys[keys.length - 1] = token
      awaitsName = false
      reading = ''
    } else {
      put(token)
      reading = ''
    }
    return i + 1
  }
  const readWord = (text: string, from: number): number => {
    let i = from
    for (; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === 44 || code === 93 || code === 125 || isSpace(code)) break
    }
    token += text.slice(from, i)
    if (i < text.length) {
      put(JSON.parse(token))
      reading = ''
    }
    return i
  }
  const readMark = (text: string, i: number): number => {
    const code = text.charCodeAt(i)
    if (code === 34) {
      token = ''
      reading = awaitsName ? 'name' : 'string'
    } else if (code === 123) enter({})
    else if (code === 91) enter([] as unknown as Container)
    else if (code === 125 || code === 93) {
      open.pop()
      keys.pop()
      awaitsName = false
    } else if (code === 44) next()
    else if (code !== 58 && !isSpace(code)) {
      token = ''
      reading = 'word'
      return i
    }
    return i + 1
  }

  return {
    get root() {
      return root
    },
    push(text) {
      for (let i = 0; i < text.length;) {
        if (escape) readEscape(text[i++] ?? '')
        else if (reading === 'word') i = readWord(text, i)
        else if (reading) i = readString(text, i)
        else i = readMark(text, i)
      }
      if (reading === 'string') put(token)
    },
  }
}
