// Time zone of a city, its Russian name after it. Other places are told by a capital letter.
const cities = (
  'Europe/Paris Париж,Europe/Rome Рим,Europe/London Лондон,Europe/Berlin Берлин,Europe/Oslo Осло,Europe/Madrid Мадрид,' +
  'Europe/Vienna Вена,Europe/Prague Прага,Europe/Lisbon Лиссабон,Europe/Athens Афины,Europe/Amsterdam Амстердам,' +
  'Europe/Stockholm Стокгольм,Europe/Helsinki Хельсинки,Europe/Warsaw Варшава,Europe/Kyiv Киев,Europe/Moscow Москва,' +
  'Europe/Istanbul Стамбул,Europe/Dublin Дублин,Africa/Cairo Каир,Africa/Nairobi Найроби,Asia/Tokyo Токио,' +
  'Asia/Seoul Сеул,Asia/Singapore Сингапур,Asia/Shanghai Шанхай,Asia/Dubai Дубай,Asia/Bangkok Бангкок,' +
  'Australia/Sydney Сидней,America/New_York Нью-Йорк,America/Chicago Чикаго,America/Los_Angeles Лос-Анджелес,' +
  'America/Toronto Торонто,America/Sao_Paulo Сан-Паулу'
)
  .split(',')
  .map((row) => {
    const [zone = '', russian = ''] = row.split(' ')
    const name = (zone.split('/')[1] ?? '').replaceAll('_', ' ')
    const stem = russian.replace(/[аиыо]$/, '')
    return {
      zone,
      name,
      russian,
      stem,
      inEnglish: new RegExp(String.raw`\b${name}\b`, 'i'),
      inRussian: new RegExp(String.raw`(?<!\p{L})${stem}\p{L}{0,2}(?!\p{L})`, 'u'),
    }
  })

const notPlaces = new RegExp(
  '^(?:i|celsius|fahrenheit|kelvin|english|french|german|russian|spanish|detail|details|general|total|order|fact|' +
    'case|time|minutes?|hours?|days?|weeks?|months?|years?|seconds?|dollars?|euros?|[a-z]{3,9}day|january|february|' +
    'march|april|june|july|august|september|october|november|december|me|my|the|a|an|this|that|it|least|most|once|' +
    'all|any|each|eur|usd|gbp|градус\\p{L}*|цельси\\p{L}*)$',
  'iu',
)

const properName = String.raw`\p{Lu}[\p{L}’'-]*(?:\s+\p{Lu}[\p{L}’'-]*)*`
const separator = String.raw`(?:\s*,?\s*(?:\band|\bor|\bversus|\bvs\.?|&|(?<!\p{L})и|(?<!\p{L})или)\s+|\s*,\s*)(?:(?:in|at|for|в|во)\s+)?`
const before = String.raw`(?<![\p{L}\p{N}])(?:[Ii]n|[Aa]t|[Nn]ear|[Aa]round|[Ff]or|[Tt]o|[Ff]rom|[Oo]f|[Вв]о?|[Нн]а|[Ии]з|[Дд]ля|[Дд]о)\s+`
const named = new RegExp(`${before}(${properName}(?:${separator}${properName})*)`, 'gu')
const separators = new RegExp(separator, 'u')
const lowerCase = /(?<![\p{L}\p{N}])(?:in|at|near|around|во?)\s+([\p{Ll}-]{3,})/gu

/** The places that a text names, in its order, each once. */
export function placesIn(text: string): string[] {
  const found: { at: number; place: string }[] = []
  const add = (at: number, place: string): void => {
    if (!notPlaces.test(place)) found.push({ at, place })
  }
  for (const { index, 0: all, 1: names = '' } of text.matchAll(named)) {
    const start = index + all.length - names.length
    for (const part of names.split(separators)) {
      add(start + names.indexOf(part), nominative(part))
    }
  }
  for (const city of cities) {
    const at = text.search(city.inEnglish)
    if (at >= 0) add(at, city.name)
    const russian = text.search(city.inRussian)
    if (russian >= 0) add(russian, city.russian)
  }
  if (!found.length) {
    for (const { index, 1: place = '' } of text.matchAll(lowerCase)) add(index, nominative(place))
  }
  const places = found.sort((a, b) => a.at - b.at).map(({ place }) => place)
  return places.filter(
    (place, at) =>
      places.findIndex((other) => other.toLowerCase() === place.toLowerCase()) === at &&
      !places.some((other) => other !== place && other.startsWith(`${place} `)),
  )
}

/** The place that follows one of these prepositions, as in `from Oslo to Rome`. */
export function placeAfter(text: string, prepositions: string): string | undefined {
  const match = new RegExp(`(?<!\\p{L})(?:${prepositions})\\s+(${properName})`, 'u').exec(text)
  return match?.[1] === undefined ? undefined : nominative(match[1])
}

/** The time zone of a place, where it is known. */
export function zoneOf(place: string | undefined): string | undefined {
  return cities.find(({ name, russian }) => place === name || place === russian)?.zone
}

function nominative(place: string): string {
  const city = cities.find(({ stem }) => place.startsWith(stem) && place.length <= stem.length + 2)
  return city?.russian ?? place
}
