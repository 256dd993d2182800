import type { MessageInput } from 'vue-llm'

const topics = ['tides', 'bridges', 'bread', 'glaciers', 'clocks', 'maps', 'violins', 'bees']

const paragraphs = [
  'Short answer: it depends on the season, and on where you stand.',
  'There are three things to know:\n\n1. It began by accident.\n2. It took **two hundred years** to be understood.\n3. Nobody has improved on it since.',
  'The longer answer has a table.\n\n| Year | Count |\n|:--|--:|\n| 1900 | 12 |\n| 1950 | 480 |\n| 2000 | 31,000 |',
  'In code it would be short:\n\n```ts\nconst sum = list.reduce((a, b) => a + b, 0)\n```\n\nThat is all there is to it.',
  'Most of what is written about it repeats one report of a traveller who, as we know today, never left his house. What is certain is little: it was there, it was used daily, and those who used it saw no reason to explain it to anybody.',
]

/** A conversation of so many messages, questions and answers of every height. */
export function inventConversation(count: number): MessageInput[] {
  return Array.from({ length: count }, (_, index): MessageInput => {
    const pair = Math.floor(index / 2)
    const topic = topics[pair % topics.length]
    if (index % 2 === 0) {
      return { role: 'user', content: `Question ${pair + 1}: what about ${topic}?` }
    }
    const length = 1 + ((pair * 7) % 3)
    const texts = Array.from(
      { length },
      (_item, at) => paragraphs[(pair * 3 + at) % paragraphs.length] ?? '',
    )
    return { role: 'assistant', content: `Answer ${pair + 1}.\n\n${texts.join('\n\n')}` }
  })
}
