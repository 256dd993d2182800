const stopWords = new Set(
  (
    'a an the this that these those it its i me my mine we us our you your he she they them and or but if so as than ' +
    'of in on at to for from by with about into is are was were be been am do does did done has have had can could ' +
    'would will should may might must not no yes please what which who whom whose how when where there here get gets ' +
    'give gives given show shows tell tells let lets need needs want wants like use uses using used call calls tool ' +
    'tools returns return returned some any all every each now then today tomorrow current currently times time’s ' +
    'user look looks list set data information info result results value values specific error also again just more new ' +
    'в во на и с со по о об к до за из от у не что как так это этот эта какой какая какое какие мне меня мы вы ты я ' +
    'он она они есть или а но для ли бы пожалуйста покажи скажи дай сейчас сегодня завтра будет мой моя мои'
  ).split(' '),
)

// Words for the same thing. The first word of a row stands for the others.
const concepts = [
  'weather forecast temperature umbrella rain raining sunny погода дождь температура прогноз',
  'time clock hour hours timezone время часы час который',
  'date calendar дата число календарь',
  'calculate calculator compute math multiply divide plus minus вычисли посчитай сколько сложи умножь',
  'search find lookup найди поиск поищи ищи',
  'send отправь пошли',
  'email mail письмо почта',
  'delete remove erase удали удалить',
  'add добавь',
  'create make создай сделай',
  'task todo задача дело',
  'note заметка',
  'chart graph plot diagram график диаграмма',
  'recipe cook dish рецепт приготовь',
  'translate translation переведи перевод',
  'convert conversion exchange currency rate курс валюта конвертируй',
  'joke шутка анекдот пошути',
  'color colour цвет',
  'theme тема',
  'book booking reserve reservation забронируй бронь',
  'flight fly рейс самолёт',
  'hotel гостиница отель',
  'order заказ',
  'customer client клиент покупатель',
  'price cost цена стоимость',
  'news новости',
  'remind reminder напомни напоминание',
  'pay payment charge оплати платёж',
  'cancel отмени',
  'roll throw брось кинь',
  'dice die кубик кости',
  'fail failing fails broken сломай сбой упади',
]

// Forms of a word agree in their first four letters, so these find the candidates.
const conceptsByStart = new Map<string, { word: string; concept: string }[]>()
for (const row of concepts) {
  const words = row.split(' ')
  for (const word of words) {
    const start = word.slice(0, 4)
    const same = conceptsByStart.get(start) ?? []
    conceptsByStart.set(start, [...same, { word, concept: words[0] ?? word }])
  }
}
const conceptNames = new Set(concepts.map((row) => row.split(' ')[0]))

/** The words that carry meaning, lower-cased, each replaced by the one that stands for its kind. */
export function wordsOf(text: string): string[] {
  const spaced = text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/\blook(?:ing)? up\b/g, 'lookup')
  const words = spaced.match(/\p{L}[\p{L}\p{M}’']*/gu) ?? []
  return words.filter((word) => !stopWords.has(word)).map(conceptOf)
}

function conceptOf(word: string): string {
  const candidates = conceptsByStart.get(word.slice(0, 4)) ?? []
  return candidates.find((candidate) => alike(word, candidate.word))?.concept ?? word
}

/** Whether a word stands for its kind, and so says more than others. */
export function isConcept(word: string): boolean {
  return conceptNames.has(word)
}

/** Whether two words are forms of one: the same but for a short ending. */
export function alike(a: string, b: string): boolean {
  if (a === b) return true
  const long = Math.max(a.length, b.length)
  if (Math.min(a.length, b.length) < 4) return false
  let same = 0
  while (same < long && a[same] === b[same]) same++
  return same >= Math.max(4, long - 3)
}

/** A name of code in plain words: `getWeather` and `get_weather` are `get weather`. */
export function plainName(name: string): string {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/** The text with a capital first. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}

/** The text, cut at a word where it is longer than that. */
export function shorten(text: string, length: number): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length <= length ? flat : `${flat.slice(0, length).replace(/\s*\S*$/, '')} …`
}
