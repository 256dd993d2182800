import { expect, test } from 'vitest'
import { importProblems } from './importGraph.ts'
import { readSources } from './sources.ts'

const allowed = [
  ['core/a.ts', `import { b } from './b.ts'`],
  ['core/deep/a.ts', `import type { B } from '../b.ts'`],
  ['providers/a.ts', `import type { Chunk } from '../core/index.ts'`],
  ['providers/a.ts', `import { createParser } from 'eventsource-parser/stream'`],
  ['providers/openai/a.ts', `import { qwen } from '../../dialects/index.ts'`],
  ['server/a.ts', `import { createServer } from 'node:http'`],
  ['server/a.ts', `const validator = await import('../ajv/index.ts')`],
  ['testing/node/index.ts', `import { x } from '../index.ts'\nimport 'node:net'`],
  ['ajv/index.ts', `import Ajv from 'ajv/dist/2020'`],
  ['vue/useChat.ts', `import { ref } from 'vue'`],
  ['index.ts', `export * from './core/index.ts'\nexport * from './vue/index.ts'`],
] as const

const forbidden = [
  ['core/a.ts', `import { ref } from 'vue'`, 'the package "vue"'],
  ['core/a.ts', `import type { Ref } from 'vue'`, 'the package "vue"'],
  ['core/a.ts', `type A = import('vue').Ref`, 'the package "vue"'],
  ['core/a.ts', `import { x } from '../providers/index.ts'`, 'the ring providers'],
  ['core/a.ts', `export * from '../index.ts'`, 'the ring index.ts'],
  ['core/a.ts', `import 'node:fs'`, `"node:fs" (Node's modules`],
  ['core/a.ts', `import 'fs'`, `"fs" (Node's modules`],
  ['core/a.ts', `import x from '../../package.json'`, '"../../package.json", outside src'],
  ['providers/a.ts', `import { x } from '../core/types.ts'`, `past the ring's index.ts`],
  ['providers/a.ts', `import { x } from 'vue-llm/core'`, 'the package "vue-llm/core"'],
  ['providers/a.ts', `const x = await import('../vue/index.ts')`, 'the ring vue'],
  ['testing/a.ts', `import { x } from './node/index.ts'`, 'the ring testing/node'],
  ['testing/a.ts', `import 'node:net'`, `"node:net" (Node's modules`],
  ['server/a.ts', `import { x } from '../ajv/index.ts'`, 'the ring ajv other than lazily'],
  ['vue/a.ts', `export { x } from '../providers/index.ts'`, 'the ring providers'],
  ['vue/A.vue', `<script setup>\nimport x from 'ajv'\n</script>`, 'the package "ajv"'],
  ['index.ts', `export * from './ajv/index.ts'`, 'the ring ajv'],
] as const

test.each(allowed)('%s may say %s', (path, text) => {
  expect(importProblems([{ path, text }])).toEqual([])
})

test.each(forbidden)('%s may not say %s', (path, text, problem) => {
  expect(importProblems([{ path, text }])).toEqual([expect.stringContaining(problem)])
})

test('a folder that is no ring is named', () => {
  expect(importProblems([{ path: 'utils/a.ts', text: '' }])).toEqual([
    expect.stringContaining('utils/a.ts is in no ring'),
  ])
})

test('the sources keep to the import graph', () => {
  expect(importProblems(readSources())).toEqual([])
})
