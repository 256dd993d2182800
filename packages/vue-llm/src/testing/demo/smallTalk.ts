import type { DemoCall, DemoRequest, DemoTool } from './readRequest'
import { joinWords, plainName, shorten } from './words'

const isRussian = (text: string): boolean => /[а-яё]/iu.test(text)

/** A short answer to a greeting, thanks or goodbye; `undefined` for anything else. */
export function smallTalk({ text }: DemoRequest): string | undefined {
  const said = text.trim().toLowerCase()
  if (/^(?:thanks|thank you|thx|great|nice|cool|perfect)\b[^?]{0,20}$/.test(said)) {
    return 'You’re welcome. Ask for something else whenever you like.'
  }
  if (/^спасибо[^?]{0,20}$/.test(said)) return 'Пожалуйста! Спросите о чём-нибудь ещё.'
  if (/^(?:bye|goodbye|see you)\b[^?]{0,20}$/.test(said))
    return 'Goodbye, and thanks for trying it.'
  return undefined
}

/** Says plainly what it is and what it can do here. */
export function introduce({ text, tools, turns, hasFiles }: DemoRequest): string {
  if (turns > 1 && !hasFiles && !greets.test(text) && !asksWho.test(text)) {
    return introduceAgain(text, tools)
  }
  return isRussian(text)
    ? introduceInRussian(text, tools, turns, hasFiles)
    : introduceInEnglish(text, tools, turns, hasFiles)
}

const greets =
  /^\s*(?:(?:hi|hello|hey|good (?:morning|day|evening)|help)\b|(?:привет|здравствуй|добрый|помо)|$)/iu
const asksWho = /\bwho are you|what (?:are you|can you do)|кто ты|что ты умеешь/iu

/** Once is enough: later it only reminds of what it can do. */
function introduceAgain(text: string, tools: readonly DemoTool[]): string {
  const some = tools.slice(0, 5).map(({ name }) => `\`${name}\``)
  if (isRussian(text)) {
    return `На «${shorten(text, 80)}» у демонстрационной модели ответа нет. ${some.length ? `Попросите о том, для чего у меня есть инструменты (${some.join(', ')}), или напишите` : 'Напишите'} **эссе**, **подумай** или **посчитай до 20**.`
  }
  return `I’m a demo model and have no answer to “${shorten(text, 80)}”. ${some.length ? `Ask for something my tools can do (${some.join(', ')}), or say` : 'Say'} **long**, **think** or **count to 20**.`
}

function introduceInEnglish(
  text: string,
  tools: readonly DemoTool[],
  turns: number,
  hasFiles: boolean,
): string {
  const me =
    'I’m the demo model built into vue-llm. I run right here, without a network or a key, and my answers are scripted.'
  const opening = hasFiles
    ? `Thank you for the file. ${me} I can’t look inside files.`
    : greets.test(text) || asksWho.test(text)
      ? `${turns < 2 ? 'Hello! ' : ''}${me}`
      : `${me} So I have no real answer to “${shorten(text, 80)}”, but I do stream, think and call tools like a real model.`
  const able = tools.length
    ? `Here I can call ${tools.length === 1 ? 'one tool' : `${tools.length} tools`}:\n\n${listTools(tools)}\n\n${hint(tools)}`
    : 'This chat gives me no tools. With some, I would call them when your words ask for it.'
  return `${opening}\n\n${able}\n\nSome words make me do other things: **long** writes a long answer, **think** shows reasoning, **count to 20** counts; **error**, **rate limit** and **cut** show what a failure looks like.`
}

function introduceInRussian(
  text: string,
  tools: readonly DemoTool[],
  turns: number,
  hasFiles: boolean,
): string {
  const me =
    'Я демонстрационная модель, встроенная в vue-llm. Я работаю прямо здесь, без сети и ключа, и отвечаю по сценарию.'
  const opening = hasFiles
    ? `Спасибо за файл. ${me} Заглянуть в файл я не могу.`
    : greets.test(text) || asksWho.test(text)
      ? `${turns < 2 ? 'Здравствуйте! ' : ''}${me}`
      : `${me} Поэтому настоящего ответа на «${shorten(text, 80)}» у меня нет, зато я умею писать по частям, рассуждать и вызывать инструменты.`
  const able = tools.length
    ? `Вот что я могу вызвать:\n\n${listTools(tools)}\n\nПросто попросите своими словами.`
    : 'В этом чате у меня нет инструментов. Будь они здесь, я вызывала бы их по вашей просьбе.'
  return `${opening}\n\n${able}\n\nНекоторые слова включают другое: **эссе** – длинный ответ, **подумай** – рассуждения, **посчитай до 20** – счёт; **error**, **rate limit** и **cut** показывают, как выглядит сбой.`
}

function listTools(tools: readonly DemoTool[]): string {
  const shown = tools.slice(0, 12).map(({ name, description }) => {
    const [sentence = ''] = description.split(/(?<=[.!?])\s/)
    const about = shorten(sentence, 100)
    return `- \`${name}\`${about ? `: ${about}` : ''}`
  })
  if (tools.length > 12) shown.push(`- and ${tools.length - 12} more`)
  return shown.join('\n')
}

function hint(tools: readonly DemoTool[]): string {
  return tools.some(({ name }) => /weather/i.test(name))
    ? 'Ask in your own words, for example: *What’s the weather in Paris and Rome?*'
    : 'Ask in your own words.'
}

/** What the model thinks before it calls, or before it speaks. */
export function reasonAbout(
  { text, tools, rounds }: DemoRequest,
  calls: readonly DemoCall[],
): string {
  const asked = `The user says: “${shorten(text, 120)}”.`
  if (calls.length) {
    const start = rounds.length ? 'The first results are here, and one thing is left to do.' : asked
    return `${start} ${planOf(calls)} I’ll wait for what comes back before I answer.`
  }
  if (rounds.length) {
    const results = rounds.flat().length
    return `${results === 1 ? 'The result is' : `All ${results} results are`} here. Nothing else is needed, so I can answer now.`
  }
  const offered = tools.length
    ? `None of the tools I have (${joinWords(tools.slice(0, 4).map(({ name }) => name))}) fits these words.`
    : 'I have no tools here.'
  return `${asked} ${offered} What is left is to answer from what I know, and I’m a demo model, so that is not much. The honest way is to say so and to show what I can do.`
}

function planOf(calls: readonly DemoCall[]): string {
  const steps = calls.map(({ name, args }) => {
    const given = Object.entries(args).map(
      ([key, value]) => `${plainName(key)} ${shorten(JSON.stringify(value), 40)}`,
    )
    return `${name}${given.length ? ` with ${joinWords(given)}` : ''}`
  })
  return steps.length === 1
    ? `One tool fits: ${steps.join()}.`
    : `That takes ${steps.length} calls, and none needs another’s result: ${steps.join('; ')}.`
}
