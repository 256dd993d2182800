import { isRecord } from './readRequest'
import { say } from './describeValue'
import { plainName } from './words'

type Json = Record<string, unknown>

const temperature = /^temp(?:erature)?(?:_?(?:c|f|celsius|fahrenheit))?$/i

/** Whether a result tells a temperature. */
export function isWeather(value: unknown): value is Json {
  return isRecord(value) && degreesOf(value) !== undefined
}

interface Weather {
  place: string
  value: Json
  args: Json
}

/** Weather as people say it; of several places also which is the warmest. */
export function sayWeather(list: readonly Weather[]): string {
  const russian = list.some(({ place }) => /[а-яё]/iu.test(place))
  const lines = list.map(({ place, value, args }) => {
    const where = russian ? `${place}:` : place ? `In ${place} it is` : 'It is'
    return `${where} ${[degrees(value, args), ...extras(value)].join(', ')}.`
  })
  if (list.length < 2) return lines.join('')
  const compared = compare(list, russian)
  return list.length === 2
    ? [...lines, compared].join(' ')
    : `${lines.map((line) => `- ${line}`).join('\n')}\n\n${compared}`
}

function compare(list: readonly Weather[], russian: boolean): string {
  const ranked = [...list].sort((a, b) => (degreesOf(b.value) ?? 0) - (degreesOf(a.value) ?? 0))
  const [first, second] = ranked.map(({ value }) => degreesOf(value) ?? 0)
  const ahead = Math.round(((first ?? 0) - (second ?? 0)) * 10) / 10
  const winner = ranked[0]?.place || 'The first'
  if (russian) return ahead ? `Теплее всего: ${winner}.` : 'Одинаково тепло.'
  if (!ahead) return list.length > 2 ? 'The two warmest are equal.' : 'It is equally warm in both.'
  return list.length > 2
    ? `${winner} is the warmest.`
    : `${winner} is warmer by ${ahead} degree${ahead === 1 ? '' : 's'}.`
}

function degreesOf(value: Json): number | undefined {
  const found = Object.entries(value).find(
    ([key, item]) => temperature.test(key) && typeof item === 'number',
  )
  return typeof found?.[1] === 'number' ? found[1] : undefined
}

/** The unit is told only where the result or the arguments tell it. */
function degrees(value: Json, args: Json): string {
  const key = Object.keys(value).find((name) => temperature.test(name)) ?? ''
  const hint = `${String(value['unit'] ?? value['units'] ?? args['unit'] ?? args['units'] ?? '')}`
  const unit = (hint.replace('°', '') || key.replace(/^temp(?:erature)?_?/i, '')).toLowerCase()
  const symbol = /^(?:c|celsius|metric)/.test(unit)
    ? '°C'
    : /^(?:f|imperial)/.test(unit)
      ? '°F'
      : ''
  return symbol ? `${degreesOf(value)} ${symbol}` : `${degreesOf(value)} degrees`
}

function extras(value: Json): string[] {
  const skipped = /^(?:units?|city|location|place|country|time|date|updated.*)$/i
  return Object.entries(value)
    .filter(([key, item]) => !temperature.test(key) && !skipped.test(key) && item !== null)
    .slice(0, 4)
    .map(([key, item]) => {
      if (/cond|desc|summary|sky|weather|forecast/i.test(key)) return say(item).toLowerCase()
      return `${plainName(key)} ${say(item)}${/humidity/i.test(key) && typeof item === 'number' ? ' %' : ''}`
    })
}
