/** A page of the playground. */
export interface View {
  /** The hash of its address; the first page has none. */
  name: 'chat' | 'ui' | 'tools' | 'recipe' | 'speech' | 'errors' | 'long' | 'states'
  /** In the navigation. */
  label: string
  /** What it shows, for the window's title. */
  title: string
}

/** The pages, in the order of the navigation. */
export const views: readonly View[] = [
  { name: 'chat', label: 'Chat', title: 'A chat with tools' },
  { name: 'ui', label: 'Cards', title: 'Generative UI' },
  { name: 'tools', label: 'Tools', title: 'Tools without code' },
  { name: 'recipe', label: 'Recipe', title: 'An object, as it grows' },
  { name: 'speech', label: 'Speech', title: 'An answer, read aloud' },
  { name: 'errors', label: 'Errors', title: 'Errors and retries' },
  { name: 'long', label: 'Long', title: 'A long conversation' },
  { name: 'states', label: 'States', title: 'Every state of every part' },
]

/** The page of an address; where there is none, the chat. */
export function viewOf(hash: string): View {
  const [chat] = views
  const found = views.find(({ name }) => `#${name}` === hash) ?? chat
  if (!found) throw new Error('there are no pages')
  return found
}
