/** The pages, by the hash of their address; the first one has none. */
export const views = ['chat', 'ui', 'tools', 'recipe', 'speech', 'states'] as const

/** A page. */
export type View = (typeof views)[number]
