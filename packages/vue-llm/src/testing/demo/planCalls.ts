import { fillArguments } from './fillArguments'
import { placesIn } from './places'
import { list, record } from './readRequest'
import type { DemoCall, DemoRequest, DemoTool } from './readRequest'
import { alike, isConcept, plainName, wordsOf } from './words'

const numbers: Record<string, number> = { two: 2, three: 3, four: 4, five: 5 }

/**
 * The rounds of calls that the last user message asks for: tools chosen by its words, arguments filled by their schemas.
 * What comes after `then` is a round of its own. Looks only at what was asked, so that asking again gives the same.
 */
export function planCalls(request: DemoRequest): DemoCall[][] {
  const { text, tools, toolChoice, parallel } = request
  if (toolChoice === 'none' || !tools.length) return []
  const facts = factsOf(request)
  const forced = typeof toolChoice === 'object'
  const offered = forced ? tools.filter(({ name }) => name === toolChoice.name) : tools
  const planned = (forced ? [text] : segmentsOf(text)).map((segment) => {
    const picked = forced ? offered : pickTools(segment, offered)
    return callsFor(picked, segment, text, facts)
  })
  let rounds = planned.filter((calls) => calls.length)
  if (!rounds.length) rounds = fallback(request, offered, facts)
  const repeated = rounds.map((calls) => repeat(calls, text))
  return parallel ? repeated : repeated.flat().map((call) => [call])
}

/** Whether the user asks for calls without an end, to see a limit at work. */
export function asksForever(text: string): boolean {
  return /\b(?:again and again|over and over|keep calling|forever)\b|снова и снова|бесконечно/i.test(
    text,
  )
}

/** What to call where no tool fits the words: a follow-up repeats the last tool, a required call takes the first. */
function fallback(
  { text, toolChoice, earlier }: DemoRequest,
  tools: readonly DemoTool[],
  facts: Record<string, unknown>,
): DemoCall[][] {
  const goesOn = /^\s*(?:and|what about|how about|а|и)(?!\p{L})/iu.test(text)
  const last = goesOn ? tools.find(({ name }) => name === earlier.at(-1)?.name) : undefined
  const tool = last ?? (toolChoice === 'required' ? tools[0] : undefined)
  return tool ? [callsFor([tool], text, text, facts)] : []
}

function callsFor(
  tools: readonly DemoTool[],
  segment: string,
  whole: string,
  facts: Record<string, unknown>,
): DemoCall[] {
  return tools.flatMap((tool) => {
    const own = tools.length > 1 ? ownText(tool, tools, segment) : segment
    const around = tools.length > 1 ? segment : whole
    return fillArguments(record(tool.parameters), own, around, facts).map((args) => ({
      name: tool.name,
      args,
    }))
  })
}

/** Picks the tool that explains most of the words, then the one that explains most of the rest, and so on. */
export function pickTools(text: string, tools: readonly DemoTool[]): DemoTool[] {
  let words = askingWords(text)
  let least = words.length > 3 ? 2 : 1
  const picked: DemoTool[] = []
  let left = [...tools]
  while (words.length && left.length) {
    const verbs = verbsFor(text)
    const ranked = left.map((tool) => {
      const { score, explained } = fitOf(tool, words, text)
      // Decides between tools for the same thing only: the words that ask are too common to count.
      return {
        tool,
        explained,
        score: score + Number(score > 0 && verbs.test(plainName(tool.name))) / 2,
      }
    })
    const best = ranked.reduce((a, b) => (b.score > a.score ? b : a))
    if (best.score < least) break
    picked.push(best.tool)
    left = left.filter((tool) => tool !== best.tool)
    words = words.filter((word) => !best.explained.includes(word))
    least = 2
  }
  return picked
}

/** What the tool's name says that a sentence asks to do, by words that stand in any sentence. */
function verbsFor(text: string): RegExp {
  if (/\b(?:set|change|update|edit|adjust)\b/i.test(text)) {
    return /^(?:set|change|update|edit|adjust|patch)\b/
  }
  const isNumbered = /\p{L} #?\d/u.test(text)
  if (isNumbered && /\bexists?\b|\b(?:is|are) there\b|\bdo(?:es)? \w+ have\b/i.test(text)) {
    return /\b(?:exists?|has)\b/
  }
  return isNumbered ? /^(?:get|fetch|read|show|view|load|lookup)\b/ : /^(?:list|search|find|get)\b/
}

function fitOf(
  { name, description, parameters }: DemoTool,
  words: readonly string[],
  text: string,
): { score: number; explained: string[] } {
  const named = wordsOf(name)
  const described = wordsOf(description)
  const choices = Object.values(record(parameters.properties))
    .flatMap((property) => list(record(property)['enum']))
    .flatMap((choice) => wordsOf(String(choice)))
  let score = name.length > 3 && text.toLowerCase().includes(name.toLowerCase()) ? 10 : 0
  const explained = words.filter((word) => {
    const weight = named.some((other) => alike(word, other))
      ? 3
      : choices.includes(word)
        ? 2
        : described.some((other) => alike(word, other))
          ? // A long word is rarely a common one.
            isConcept(word) || word.length > 6
            ? 2
            : 1
          : 0
    score += weight
    return weight > 0
  })
  return { score, explained }
}

/** The words that may point at a tool: places do not. A sum in digits asks for a calculator. */
function askingWords(text: string): string[] {
  const places = placesIn(text).flatMap((place) => wordsOf(place))
  const words = wordsOf(text).filter((word) => !places.includes(word))
  return /\d\s*[-+*/×÷^]\s*\d/.test(text) ? [...words, 'calculate'] : words
}

function segmentsOf(text: string): string[] {
  return text
    .split(
      /(?:[,.;]\s*)?(?:\b(?:and )?(?:then|after that|afterwards)\b|(?<!\p{L})(?:а )?(?:потом|затем)(?!\p{L}))\s*,?/iu,
    )
    .filter((segment) => segment.trim())
}

/** The clauses of a sentence that speak of one tool of several: its own, and those after it that speak of none. */
function ownText(tool: DemoTool, tools: readonly DemoTool[], segment: string): string {
  const own: string[] = []
  let speaking: DemoTool[] = []
  for (const clause of clausesOf(segment)) {
    const words = askingWords(clause)
    const meant = tools.filter((other) => fitOf(other, words, clause).score > 0)
    if (meant.length) speaking = meant
    if (speaking.includes(tool)) own.push(clause)
  }
  return own.join('') || segment
}

/** Splits before commas and `and`, but not inside quotes. */
function clausesOf(segment: string): string[] {
  const clauses = ['']
  const pattern = /["“«][^"”»]*["”»]|\s*[,;]\s+(?:and\s+)?|\s+(?:and|и|also)\s+|[^"“«,;\s]+|./gsu
  for (const [token] of segment.matchAll(pattern)) {
    if (/^\s*(?:[,;]|(?:and|и|also)\s)/.test(token)) clauses.push('')
    clauses.push((clauses.pop() ?? '') + token)
  }
  return clauses
}

/** `twice` and `three times` are as many calls. */
function repeat(calls: DemoCall[], text: string): DemoCall[] {
  const [, amount = ''] = /\b(\w+) times\b/i.exec(text) ?? []
  const wanted = /\btwice\b|дважды/i.test(text)
    ? 2
    : /трижды/i.test(text)
      ? 3
      : (numbers[amount.toLowerCase()] ?? Number(amount))
  const factor = wanted >= 2 && calls.length === 1 ? Math.min(wanted, 8) : 1
  return Array.from({ length: factor }, () => calls).flat()
}

/** What earlier calls and this turn's results say, by property name; the newest wins. */
function factsOf({ earlier, rounds }: DemoRequest): Record<string, unknown> {
  const facts: Record<string, unknown> = {}
  for (const call of [...earlier.slice(-4), ...rounds.flat()]) {
    Object.assign(facts, call.args)
    try {
      Object.assign(facts, record(JSON.parse(call.result)))
    } catch {
      // Text holds no facts.
    }
  }
  return facts
}
