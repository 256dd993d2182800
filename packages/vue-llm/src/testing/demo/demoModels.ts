/** How the demo model gives its calls: as servers do, as text, or not at all while it streams. */
export type DemoToolCalls = 'structured' | 'text' | 'swallowed'

/** The model that gives its calls as it was created to. */
export const demoModelName = 'vue-llm-demo'

const named: Readonly<Record<string, DemoToolCalls>> = {
  [`${demoModelName}-text`]: 'text',
  [`${demoModelName}-swallow`]: 'swallowed',
}

/** The names of all models there are. */
export const demoModelNames: readonly string[] = [demoModelName, ...Object.keys(named)]

/** How a model of this name gives its calls; `undefined` where the name doesn't say. */
export function toolCallsOf(model: string): DemoToolCalls | undefined {
  return Object.hasOwn(named, model) ? named[model] : undefined
}
