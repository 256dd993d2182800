import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { defineConfig } from 'tsup'

/** What the page of the API needs: taken along, since the package itself counts installs. */
const swaggerFiles = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE']

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts'],
  format: 'esm',
  target: 'node20',
  platform: 'node',
  splitting: true,
  sourcemap: true,
  clean: true,
  // tsup's own use of `baseUrl` is deprecated in TypeScript 6.
  dts: { entry: 'src/index.ts', compilerOptions: { ignoreDeprecations: '6.0' } },
  onSuccess: async () => {
    const swagger = join(createRequire(import.meta.url).resolve('swagger-ui-dist'), '..')
    await mkdir('dist/swagger-ui', { recursive: true })
    for (const file of swaggerFiles) await copyFile(join(swagger, file), `dist/swagger-ui/${file}`)
    await copyFile('../../LICENSE', 'LICENSE')
  },
})
