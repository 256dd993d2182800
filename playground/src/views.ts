/** What belongs together in the navigation. */
export type ViewGroup = 'Chat' | 'Tool calls' | 'Generative UI' | 'Answers' | 'On the wire'

/** A page of the playground. */
export interface View {
  /** The hash of its address; the first page has none. */
  name:
    | 'chat'
    | 'long'
    | 'life'
    | 'states'
    | 'approval'
    | 'server'
    | 'tools'
    | 'text'
    | 'ui'
    | 'component'
    | 'recipe'
    | 'speech'
    | 'providers'
    | 'errors'
  group: ViewGroup
  /** In the navigation. */
  label: string
  /** What it shows, for the window's title. */
  title: string
  /** It asks the server of the settings; others ask the demo model. */
  usesSettings?: true
}

/** The pages, in the order of the navigation. */
export const views: readonly View[] = [
  { group: 'Chat', name: 'chat', label: 'Chat', title: 'A chat with tools', usesSettings: true },
  { group: 'Chat', name: 'long', label: '10,000 messages', title: 'A long conversation' },
  { group: 'Tool calls', name: 'life', label: 'Life cycle', title: 'The life of a tool call' },
  { group: 'Tool calls', name: 'states', label: 'States', title: 'Every state of every part' },
  { group: 'Tool calls', name: 'approval', label: 'Human in the loop', title: 'A person decides' },
  { group: 'Tool calls', name: 'server', label: 'Server tools', title: 'Tools on either side' },
  {
    group: 'Tool calls',
    name: 'tools',
    label: 'HTTP tools',
    title: 'Tools without code',
    usesSettings: true,
  },
  { group: 'Tool calls', name: 'text', label: 'Calls as text', title: 'Calls written as text' },
  {
    group: 'Generative UI',
    name: 'ui',
    label: 'Cards',
    title: 'Generative UI',
    usesSettings: true,
  },
  {
    group: 'Generative UI',
    name: 'component',
    label: 'Component as tool',
    title: 'A component that is a tool',
  },
  {
    group: 'Answers',
    name: 'recipe',
    label: 'Recipe',
    title: 'An object, as it grows',
    usesSettings: true,
  },
  {
    group: 'Answers',
    name: 'speech',
    label: 'Speech',
    title: 'An answer, read aloud',
    usesSettings: true,
  },
  {
    group: 'On the wire',
    name: 'providers',
    label: 'Providers',
    title: 'The same chat over every wire',
  },
  { group: 'On the wire', name: 'errors', label: 'Errors', title: 'Errors and retries' },
]

/** The same, by what belongs together. */
export const viewGroups: readonly { name: ViewGroup; views: readonly View[] }[] = [
  ...new Set(views.map(({ group }) => group)),
].map((name) => ({ name, views: views.filter(({ group }) => group === name) }))

/** The page of an address; where there is none, the chat. */
export function viewOf(hash: string): View {
  const [chat] = views
  const found = views.find(({ name }) => `#${name}` === hash) ?? chat
  if (!found) throw new Error('there are no pages')
  return found
}
