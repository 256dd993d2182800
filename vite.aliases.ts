import { fileURLToPath } from 'node:url'

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

/** Lets tests and the playground import the package's sources by its public names. */
export const aliases = [
  { find: /^vue-llm$/, replacement: path('./packages/vue-llm/src/index.ts') },
  { find: /^vue-llm-serve$/, replacement: path('./packages/serve/src/index.ts') },
  { find: /^vue-llm\/(.+)$/, replacement: `${path('./packages/vue-llm/src')}/$1/index.ts` },
  { find: /^#test\/(.+)$/, replacement: `${path('./test')}/$1.ts` },
]
