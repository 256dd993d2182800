import { isRecord } from './readRequest'
import { aboutCall, placeOfCall } from './aboutCall'
import { describeRecord, fieldsOf, say } from './describeValue'
import { readOutcome } from './readOutcome'
import type { Trouble } from './readOutcome'
import type { AnsweredCall } from './readRequest'
import { isWeather, sayWeather } from './sayWeather'
import { capital, joinWords, plainName, shorten } from './words'

/** Speaks of what calls gave, in plain words: what was found, what was done, what failed. */
export function speakOfResults(calls: readonly AnsweredCall[]): string {
  const paragraphs: string[] = []
  for (const name of new Set(calls.map((call) => call.name))) {
    const answers: Answer[] = []
    const troubles: string[] = []
    for (const call of calls) {
      if (call.name !== name) continue
      const outcome = readOutcome(call.result)
      if (outcome.kind === 'value') answers.push({ call, value: outcome.value })
      else troubles.push(speakOfTrouble(call, outcome))
    }
    if (answers.length) paragraphs.push(speakOfValues(answers))
    paragraphs.push(...troubles)
  }
  return [...new Set(paragraphs)].join('\n\n')
}

interface Answer {
  call: AnsweredCall
  value: unknown
}

function speakOfValues(answers: readonly Answer[]): string {
  const weather = answers.flatMap(({ call, value }) =>
    isWeather(value) ? [{ place: placeOf(call, value), value, args: call.args }] : [],
  )
  if (weather.length === answers.length) return sayWeather(weather)
  const [only] = answers
  const isRow = answers.every(({ call, value }) => isBare(value) && !aboutCall(call))
  if (only && answers.length > 1 && isRow) {
    const all = answers.map(({ value }) => `**${say(value)}**`)
    return `The ${answers.length} calls of \`${only.call.name}\` gave ${joinWords(all)}.`
  }
  const said = answers.map(({ call, value }) => {
    const text = speakOfValue(call, value)
    const place = aboutCall(call) && placeOfCall(call)
    // Text of a tool's own may not say which of several calls it answers.
    return answers.length < 2 || text.includes(place) ? text : `${capital(place)}: ${text}`
  })
  return [...new Set(said)].join('\n\n')
}

const existence = /_?exists?$/i

/** The answer of a tool like `item_exists`. */
function sayExists(call: AnsweredCall, isThere: boolean): string {
  const thing = `${plainName(call.name.replace(existence, ''))}${aboutCall(call)}`
  return isThere ? `Yes, ${thing} exists.` : `No, there is no ${thing}.`
}

/** What went wrong, in the words of a server where it has some. */
function reasonOf(text: string): string {
  const [, status = '', body = ''] = /^(HTTP \d+) —(.*)$/s.exec(text) ?? []
  if (!status) return text
  let said: unknown
  try {
    const { error, message } = Object(JSON.parse(body)) as Record<string, unknown>
    said = error ?? message
  } catch {
    // No JSON: the status has to do.
  }
  return typeof said === 'string'
    ? `${said} (${status})`
    : `${status}${shorten(body, 200) && ` —${body}`}`
}

const looksUp = /^(?:get|fetch|find|search|list|look|lookup|read|check|query|show|load|view)$/

const asks = /^(?:ask|pick|choose|select|confirm)$/

function speakOfValue(call: AnsweredCall, value: unknown): string {
  const about = aboutCall(call)
  const [verb = '', ...rest] = plainName(call.name).split(' ')
  const noun = rest.join(' ') || verb
  if (existence.test(call.name) && typeof value === 'boolean') return sayExists(call, value)
  if (isDone(value) || (done[verb] && isRecord(value))) return speakOfDone(call, value)
  if (asks.test(verb) && !Array.isArray(value)) {
    const chosen = isRecord(value) ? fieldsOf(value, {}).map(([, said]) => said) : [say(value)]
    return `Thank you. Your answer is **${chosen.join(', ')}**, and I’ll go with that.`
  }
  const subject = looksUp.test(verb) || !rest.length ? `${noun}${about}` : ''
  if (Array.isArray(value)) return speakOfList(noun, about, value)
  if (isRecord(value)) return speakOfRecord(call, value, subject)
  const text = say(value)
  const { expression } = call.args
  if (typeof expression === 'string') return `${expression} = **${text}**`
  if (typeof value !== 'string' || !text.includes(' ')) {
    return `${subject ? `The ${subject}` : `The result of \`${call.name}\`${about}`} is **${text}**.`
  }
  return text.length > 200 || value.includes('\n')
    ? `Here is what came back${subject && ` of the ${subject}`}:\n\n> ${shorten(text, 400)}`
    : sentence(text)
}

function speakOfRecord(
  call: AnsweredCall,
  value: Record<string, unknown>,
  subject: string,
): string {
  const { name, args } = call
  const fields = fieldsOf(value, args)
  const [first] = fields
  if (!first) return `${subject ? `The ${subject}` : `\`${name}\``} came back as it was asked for.`
  if (fields.length === 1 && subject) {
    const [key, said] = first
    return subject.startsWith(key)
      ? `The ${subject} is **${said}**.`
      : `The ${subject} has the ${key} **${said}**.`
  }
  const details = describeRecord(fields)
  const lead = subject
    ? `Here is the ${subject}`
    : `Here is the result of \`${name}\`${aboutCall(call)}`
  return details.startsWith('-') ? `${lead}:\n\n${details}` : `${lead}. ${details}`
}

function speakOfDone(call: AnsweredCall, value: unknown): string {
  const [verb = '', ...rest] = plainName(call.name).split(' ')
  const noun = rest.join(' ')
  const about = aboutCall(call)
  const past = done[verb]
  const what =
    past && noun && !/^(?:to|from|in|on|with)\b/.test(noun)
      ? `the ${noun}${about} is ${past}`
      : `${plainName(call.name)}${about}`
  // What was made is told; its id and what it is not would only be noise.
  const fields = fieldsOf(isRecord(value) ? value : {}, call.args).filter(
    ([key, said]) => key !== 'id' && said !== 'no',
  )
  const details = describeRecord(fields)
  if (!details) return `Done: ${what}.`
  return `Done: ${what}.${details.startsWith('-') ? '\n\n' : ' '}${details}`
}

function speakOfList(noun: string, about: string, items: readonly unknown[]): string {
  const plural = noun.endsWith('s') ? noun : `${noun} results`
  if (!items.length) return `I looked for ${plural}${about} and found none.`
  const lines = items.slice(0, 5).map((item) => `- ${isRecord(item) ? itemLine(item) : say(item)}`)
  if (items.length > 5) lines.push(`- and ${items.length - 5} more`)
  const found = items.length === 1 ? `one of the ${plural}` : `${items.length} ${plural}`
  return `I found ${found}${about}:\n\n${lines.join('\n')}`
}

function itemLine(item: Record<string, unknown>): string {
  const usual = ['title', 'name', 'label', 'subject', 'city']
  const title =
    usual.find((name) => name in item) ??
    Object.keys(item).find((name) => typeof item[name] === 'string')
  const fields = Object.entries(item)
    .filter(([name, value]) => name !== title && value !== null)
    .slice(0, 4)
    .map(([name, value]) => `${plainName(name)} ${say(value)}`)
  const lead = title === undefined ? '' : `**${say(item[title])}**`
  return [lead, fields.join(', ')].filter(Boolean).join(': ')
}

function speakOfTrouble(call: AnsweredCall, { kind, text }: Trouble): string {
  if (existence.test(call.name) && /^HTTP 404\b/.test(text)) return sayExists(call, false)
  const what = `\`${call.name}\`${aboutCall(call)}`
  const why = reasonOf(text).replace(/[.\s]+$/, '')
  switch (kind) {
    case 'declined':
      return `All right, I won’t go ahead with ${what}. Nothing was changed. Tell me if you would like it done another way.`
    case 'unanswered':
      return `I asked for ${what}, but no answer was given, so I left it open. We can come back to it whenever you like.`
    case 'stopped':
      return `The call of ${what} was stopped before it was done, so I have no result. Say so if I should start it again.`
    case 'limit':
      return `I had to stop before ${what}: the limit of tool rounds is reached. Ask me to go on if you want the rest.`
    case 'error':
      return `I’m sorry, ${what} didn’t work: ${why || 'it gave no reason'}. I can try again, or you can tell me what to do differently.`
  }
}

const done: Record<string, string> = {
  send: 'sent',
  create: 'created',
  add: 'added',
  make: 'made',
  delete: 'deleted',
  remove: 'removed',
  update: 'updated',
  change: 'changed',
  replace: 'replaced',
  save: 'saved',
  set: 'set',
  book: 'booked',
  cancel: 'cancelled',
  pay: 'paid',
  refund: 'refunded',
  open: 'open',
  close: 'closed',
  show: 'on the screen',
  draw: 'drawn',
  place: 'placed',
}

/** Whether a result says no more than that it went well. */
function isDone(value: unknown): boolean {
  if (value === null || value === true || value === '') return true
  if (typeof value === 'string') return /^(?:ok|done|success|shown|displayed)\W*$/i.test(value)
  if (!isRecord(value)) return false
  return Object.entries(value).every(
    ([key, item]) => item === true && /^(?:ok|success|done|approved)$/.test(key),
  )
}

function isBare(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !value.includes(' '))
}

function placeOf(call: AnsweredCall, { city, location, place }: Record<string, unknown>): string {
  const named = [city, location, place].find((one) => typeof one === 'string')
  return typeof named === 'string' ? named : placeOfCall(call)
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? capital(text) : `${capital(text)}.`
}
