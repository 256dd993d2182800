import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { defineConfig } from 'tsup'
import { packageReadme } from './scripts/packageReadme.mjs'

interface Manifest {
  exports: Record<string, unknown>
}

/** One entry per subpath of package.json's `exports`: `./core` is built from `src/core/index.ts`. */
async function entries(): Promise<Record<string, string>> {
  const manifest: Manifest = JSON.parse(await readFile('package.json', 'utf8'))
  const subpaths = Object.keys(manifest.exports).filter((subpath) => !subpath.endsWith('.json'))
  return Object.fromEntries(
    subpaths.map((subpath) =>
      subpath === '.'
        ? ['index', 'src/index.ts']
        : [subpath.slice(2), `src${subpath.slice(1)}/index.ts`],
    ),
  )
}

export default defineConfig(async () => ({
  entry: await entries(),
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  splitting: true,
  // One import of Vue for each file: bundlers that keep Vue apart keep an import that lost all its names, too.
  treeshake: true,
  sourcemap: true,
  clean: true,
  // tsup's own use of `baseUrl` is deprecated in TypeScript 6.
  dts: { compilerOptions: { ignoreDeprecations: '6.0' } },
  onSuccess: async () => {
    await writeFile('README.md', packageReadme(await readFile('../../README.md', 'utf8')))
    await copyFile('../../LICENSE', 'LICENSE')
  },
}))
