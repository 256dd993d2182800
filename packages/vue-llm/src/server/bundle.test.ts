import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/** The source files that an entry pulls, as `ring/file`, and the packages. */
async function inputsOf(entry: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    packages: 'external',
    write: false,
    metafile: true,
  })
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports)
  const packages = imported.filter(({ external }) => external).map(({ path }) => path)
  return [
    ...Object.keys(metafile.inputs).map((path) => path.replace(/^.*\/src\//, '')),
    ...packages,
  ]
}

it('the server pulls nothing of Vue, and no module of Node: it runs on edge platforms, too', async () => {
  const inputs = await inputsOf('./index.ts')
  expect(inputs).toContain('core/runChat.ts')
  expect(inputs.filter((path) => /^(vue|testing|node:|@vue)/.test(path))).toEqual([])
})

it.each(['../index.ts', '../providers/index.ts', '../core/index.ts'])(
  '%s pulls nothing of the server',
  async (entry) => {
    const inputs = await inputsOf(entry)
    expect(inputs.length).toBeGreaterThan(5)
    expect(inputs.filter((path) => /^(server|node:)/.test(path))).toEqual([])
  },
)
