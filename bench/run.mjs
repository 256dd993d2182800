// Measures the hot paths: `npm run bench`, or `npm run bench scanner` for those with such a name. What a page costs takes
// long, and has a name of its own: `npm run bench browser`, with `--quick`, `--runs=5` or `--only=burst,args` after `--`.
// Times differ from machine to machine, and from run to run; the ratios within one run are what counts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const here = fileURLToPath(new URL('.', import.meta.url))
const [wanted = '', ...words] = process.argv.slice(2)
const isBrowser = wanted === 'browser'
// The browser's is to find Vite and Playwright.
const parent = isBrowser ? join(here, '..', 'node_modules') : tmpdir()
const folder = mkdtempSync(join(parent, isBrowser ? '.vue-llm-bench-' : 'vue-llm-bench-'))
const entries = {
  bench: join(here, 'suites.ts'),
  'load/server': join(here, 'load', 'server.ts'),
}
const outfile = join(folder, 'bench.mjs')
try {
  await build({
    entryPoints: isBrowser ? { bench: join(here, 'browser', 'run.ts') } : entries,
    external: ['vite', 'playwright'],
    tsconfig: join(here, '..', 'tsconfig.json'),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const { suites = {}, runBrowserBench } = await import(pathToFileURL(outfile).href)
  if (isBrowser) {
    await runBrowserBench(here, join(folder, 'page'), words, (line) =>
      process.stdout.write(`${line}\n`),
    )
  }
  const names = Object.keys(suites).filter((name) => name.includes(wanted))
  if (!names.length && !isBrowser) {
    process.stderr.write(
      `No benchmark is called ${wanted}; there are ${Object.keys(suites).join(', ')}, browser.\n`,
    )
    process.exitCode = 1
  }
  for (const name of names) {
    process.stdout.write(`\n${name}\n`)
    for await (const row of suites[name]()) process.stdout.write(`${toLine(row)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true })
}

function toLine({ what, value, unit, against = '' }) {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0
  return `  ${what.padEnd(56)} ${value.toFixed(digits).padStart(9)} ${unit.padEnd(9)} ${against}`
}
