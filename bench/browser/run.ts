import { join } from 'node:path'
import { build } from 'vite'
import { launch } from './browserPage'
import { groups, type Group } from './cells'
import { startPageServer } from './server'
import { writers, type Bench } from './writers'

/** What may be said on the command line. */
function readOptions(words: readonly string[]): Pick<Bench, 'runs' | 'only' | 'isQuick'> {
  const value = (name: string) =>
    words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
  const only = value('only')?.split(',') ?? groups
  const unknown = only.filter((name) => !groups.includes(name as Group))
  if (unknown.length) throw new Error(`no group ${unknown.join()}; there are ${groups.join()}`)
  return { runs: Number(value('runs') ?? 3), only, isQuick: words.includes('--quick') }
}

/** Builds the page, measures what was asked for, and writes one table, line by line. */
export async function runBrowserBench(
  here: string,
  outDir: string,
  words: readonly string[],
  write: (line: string) => void,
): Promise<void> {
  const options = readOptions(words)
  const root = join(here, 'browser', 'page')
  await build({
    root,
    configFile: join(root, 'vite.config.ts'),
    build: { outDir, emptyOutDir: true },
  })
  const server = await startPageServer(outDir)
  const browser = await launch()
  try {
    const bench: Bench = { ...options, browser, url: server.url, write }
    for (const writeSome of writers) await writeSome(bench)
  } finally {
    await browser.close()
    server.close()
  }
}
