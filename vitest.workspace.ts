import vue from '@vitejs/plugin-vue'
import { playwright } from '@vitest/browser-playwright'
import type { TestProjectInlineConfiguration } from 'vitest/config'
import { chromiumArgs, chromiumPath } from './scripts/chromium.ts'
import { echoServer } from './test/echoServer.ts'
import { aliases } from './vite.aliases.ts'

const browserTests = '**/*.browser.test.ts'
const domTests = ['packages/*/src/vue/**/*.test.ts', 'test/**/*.dom.test.ts']
// A busy machine is no failure: some properties take seconds on a quiet one.
const common = { setupFiles: ['./test/setup.ts'], testTimeout: 30_000 }
const exclude = ['**/node_modules/**', '**/dist/**']

const node: TestProjectInlineConfiguration = {
  plugins: [vue()],
  resolve: { alias: aliases },
  test: {
    name: 'node',
    environment: 'node',
    include: [
      'packages/*/{src,test}/**/*.test.ts',
      '{scripts,test,docs,examples,playground}/**/*.test.ts',
    ],
    exclude: [...exclude, ...domTests, browserTests],
    ...common,
  },
}

const dom: TestProjectInlineConfiguration = {
  plugins: [vue()],
  resolve: { alias: aliases },
  test: {
    name: 'dom',
    environment: './test/environments/happyDom.ts',
    include: domTests,
    exclude: [...exclude, browserTests],
    ...common,
  },
}

const types: TestProjectInlineConfiguration = {
  resolve: { alias: aliases },
  test: {
    name: 'types',
    include: [],
    typecheck: {
      enabled: true,
      only: true,
      checker: 'vue-tsc',
      include: ['**/*.test-d.ts'],
      exclude,
      // Errors outside the type tests are the `types` script's to report.
      ignoreSourceErrors: true,
    },
  },
}

const browser = (executablePath: string): TestProjectInlineConfiguration => ({
  plugins: [vue(), echoServer()],
  resolve: { alias: aliases, dedupe: ['vue'] },
  // Found at start, so that no dependency makes Vite reload the page while tests run.
  optimizeDeps: { entries: ['packages/*/src/index.ts', 'packages/*/src/*/index.ts', browserTests] },
  test: {
    name: 'browser',
    include: [browserTests],
    exclude,
    ...common,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({
        launchOptions: { executablePath, args: chromiumArgs },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})

if (chromiumPath === undefined) {
  console.log('No Chromium at $CHROMIUM or /usr/bin/chromium: the browser tests are left out.')
}

/** The test projects: Node, happy-dom, type tests, and a real Chromium where one exists. */
export default chromiumPath === undefined
  ? [node, dom, types]
  : [node, dom, types, browser(chromiumPath)]
