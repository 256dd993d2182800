import { placeAfter, placesIn } from './places'

/** What a text offers as arguments. Numbers and quotes are taken out as they are used. */
export interface Findings {
  text: string
  places: string[]
  /** The place or currency after `from`, and after `to`. */
  from: string | undefined
  to: string | undefined
  quotes: string[]
  numbers: number[]
  email: string | undefined
  url: string | undefined
  date: string | undefined
  time: string | undefined
  /** Something like `ORD-123` or `#42`. */
  id: string | undefined
  person: string | undefined
  expression: string | undefined
  currencies: string[]
  /** What the sentence is about, without the words that ask. */
  topic: string
}

const quoted = /["“«„]([^"”»“]+)["”»“]|(?<!\p{L})['‘]([^'’]+)['’](?!\p{L})/gu
const numberWords = 'zero one two three four five six seven eight nine ten'.split(' ')
const currencies: [RegExp, string][] = [
  [/\b(?:euros?|EUR)\b|€|евро/i, 'EUR'],
  [/\b(?:dollars?|USD)\b|\$|доллар/i, 'USD'],
  [/\b(?:pounds?|GBP)\b|£|фунт/i, 'GBP'],
  [/\b(?:yen|JPY)\b|¥|иен/i, 'JPY'],
  [/\b(?:rou?bles?|RUB)\b|₽|рубл/i, 'RUB'],
  [/\b(?:francs?|CHF)\b|франк/i, 'CHF'],
]

/** Reads a text for what it offers as arguments. */
export function findIn(text: string): Findings {
  const first = (pattern: RegExp): string | undefined => {
    const match = pattern.exec(text)
    return match?.[1] ?? match?.[0]
  }
  const email = first(/[\w.+-]+@[\w-]+\.[\w.-]*\w/)
  const url = first(/https?:\/\/[^\s"“”<>]*[^\s"“”<>.,;:!?)]/)
  const date = first(/\b\d{4}-\d\d-\d\d\b/)
  const time = first(/\b\d{1,2}:\d\d\b/)
  const id = first(/#(\w+)/) ?? first(/\b(?=[\w-]*\d)[A-Z]{1,6}-?\d[\w-]*/)
  const rest = [email, url, date, time].reduce<string>(
    (left, found) => (found ? left.replace(found, ' ') : left),
    text,
  )
  return {
    text,
    places: placesIn(text),
    from: placeAfter(text, '[Ff]rom|[Ии]з'),
    to: placeAfter(text, '[Tt]o|[Вв]о?|[Дд]о'),
    quotes: [...text.matchAll(quoted)].map((match) => match[1] ?? match[2] ?? ''),
    numbers: numbersIn(rest),
    email,
    url,
    date,
    time,
    id,
    person: first(
      /(?:\b(?:for|to|with|named|called|name is|I am|I'm|ask|tell|call)|для|зовут)\s+(\p{Lu}\p{Ll}+)/u,
    ),
    expression: first(
      /[-(]?\d[\d.\s()]*(?:\s*(?:[-+*/×÷^%]|plus|minus|times|x)\s*[-(]?\d[\d.()]*)+/,
    ),
    currencies: currencies
      .map(([pattern, code]) => ({ at: text.search(pattern), code }))
      .filter(({ at }) => at >= 0)
      .sort((a, b) => a.at - b.at)
      .map(({ code }) => code),
    topic: topicOf(text),
  }
}

function numbersIn(text: string): number[] {
  const found = text.matchAll(/(?<![\w#-])-?\d+(?:\.\d+)?(?![\w-]*[-\p{L}]\d)|\p{L}+/gu)
  return [...found].flatMap(([word]) => {
    const named = numberWords.indexOf(word.toLowerCase())
    // `one` is mostly no number (`the last one`).
    if (named >= 0 && named !== 1) return [named]
    return /\d/.test(word) ? [Number(word)] : []
  })
}

const polite =
  /^(?:hi|hello|hey|ok|please|can you|could you|would you|will you|i want to|i'd like to|i need to|let's|now|and|then|пожалуйста|а|и)\b[\s,]*/iu
const added = /(?:\b(?:add|put|buy)|(?<!\p{L})добавь)\s+(.+?)(?:\s+(?:to|on|in|into|в|к)\s.*)?$/iu
const about =
  /(?:\b(?:about|called|named|titled|saying|says|that says|remind me to|search for|look for|for|of)|(?<!\p{L})(?:про|об?|для))\s+(.+)$/iu

function topicOf(text: string): string {
  let rest = text.trim().replace(/[.?!…]+$/, '')
  while (polite.test(rest)) rest = rest.replace(polite, '')
  const named = /:\s+(.+)$/su.exec(rest) ?? added.exec(rest) ?? about.exec(rest)
  if (named?.[1]) return unquote(named[1])
  const words = rest.split(/\s+/)
  return unquote(words.slice(words.length > 1 ? 1 : 0).join(' '))
}

function unquote(text: string): string {
  return text
    .trim()
    .replace(/^["“«„']|["”»“']$/gu, '')
    .replace(/^(?:(?:me|a|an|the)\s+)+/i, '')
}
