import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { publicEntries } from '../../scripts/tests/publicApi.ts'
import { packageFolder } from '../../scripts/tests/sources.ts'
import { docsFolder } from './pages.ts'
import { readExports, type DocumentedName } from './readExports.ts'

/** One entry of a package with what it exports. */
interface Entry {
  /** As it is imported: `vue-llm/core`. */
  specifier: string
  /** The page, without `.md`. */
  page: string
  names: DocumentedName[]
}

const about: Record<string, string> = {
  'vue-llm': 'The public face: the composables and components, and all of core and providers.',
  'vue-llm/core': 'The vocabulary and the rules of a chat, without Vue and without I/O.',
  'vue-llm/providers': 'Who answers: one creator for each wire, and what goes around a provider.',
  'vue-llm/server': 'The server half of a chat, the registry of HTTP tools, and their transports.',
  'vue-llm/dialects': 'Tool calls that models write as text.',
  'vue-llm/http-tools': 'Tools that are JSON descriptions of an HTTP request.',
  'vue-llm/ajv': 'Checks of arguments by JSON Schema, with ajv.',
  'vue-llm/testing':
    'A provider that plays a script, a model without network, event streams for tests.',
  'vue-llm/testing/node': 'What tests need that open sockets.',
  'vue-llm-serve':
    'The chat server in code: a package of its own, see [vue-llm-serve](/serve). Most need its command only.',
}

/** The folders of the packages, by name. */
const packages = new Map([
  ['vue-llm', packageFolder],
  ['vue-llm-serve', join(packageFolder, '../serve')],
])

/** The pages of the reference by path, such as `reference/core`, made of the docblocks of every public export. */
export function createReference(): Map<string, string> {
  const entries = readEntries()
  const pageOf = new Map<string, string>()
  // A name is described where it is at home: the root entry exports those of others, too.
  for (const { page, names } of entries.toReversed()) {
    for (const { name } of names)
      if (page !== 'vue-llm' || !pageOf.has(name)) pageOf.set(name, page)
  }
  const pages = new Map(
    entries.map((entry) => [`reference/${entry.page}`, writeEntry(entry, pageOf)] as const),
  )
  return pages.set('reference/index', writeOverview(entries, pageOf))
}

/** Writes the pages of the reference into the site's folder, and gives them. */
export function writeReference(): Map<string, string> {
  const folder = join(docsFolder, 'reference')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const pages = createReference()
  for (const [page, text] of pages) writeFileSync(join(docsFolder, `${page}.md`), text)
  return pages
}

function readEntries(): Entry[] {
  const files = [...packages].flatMap(([name, folder]) =>
    [...publicEntries(folder)].map(([subpath, file]) => [posix.join(name, subpath), file] as const),
  )
  const names = readExports(files.map(([, file]) => file))
  return files.map(([specifier, file]) => ({
    specifier,
    page: specifier.replace(/^vue-llm\//, '').replaceAll('/', '-'),
    names: (names.get(file) ?? []).filter(({ internal }) => !internal),
  }))
}

const frontmatter = '---\neditLink: false\nprev: false\nnext: false\n---\n\n'

function writeOverview(entries: readonly Entry[], pageOf: ReadonlyMap<string, string>): string {
  const parts = entries.map(({ specifier, page, names }) => {
    const own = names.filter(({ name }) => pageOf.get(name) === page)
    return [
      `## [\`${specifier}\`](./${page}) {#${page}}`,
      about[specifier] ?? '',
      ...lists(own, (name) => `./${page}#${name}`),
    ].join('\n\n')
  })
  return `${frontmatter}# All exports\n\nEvery public name, by the entry that it is imported from. \`vue-llm\` exports what
\`vue-llm/core\` has of types and errors, and all of \`vue-llm/providers\`, as well.\n\n${parts.join('\n\n')}\n`
}

function lists(names: readonly DocumentedName[], linkOf: (name: string) => string): string[] {
  const line = (list: readonly DocumentedName[]) =>
    list.map(({ name }) => `[\`${name}\`](${linkOf(name)})`).join(', ')
  const values = names.filter(({ isType }) => !isType)
  const types = names.filter(({ isType }) => isType)
  return [
    ...(values.length ? [line(values)] : []),
    ...(types.length ? [`Types: ${line(types)}`] : []),
  ]
}

function writeEntry(entry: Entry, pageOf: ReadonlyMap<string, string>): string {
  const { specifier, page, names } = entry
  const own = names.filter(({ name }) => pageOf.get(name) === page)
  const others = names.filter(({ name }) => pageOf.get(name) !== page)
  const group = (title: string, list: readonly DocumentedName[]) =>
    list.length ? [`## ${title}`, ...list.map((one) => describe(one, pageOf))] : []
  const elsewhere = others.length
    ? ['## Exported here as well', ...lists(others, (name) => `./${pageOf.get(name)}#${name}`)]
    : []
  return [
    `${frontmatter}# \`${specifier}\``,
    about[specifier] ?? '',
    ...group(
      'Values',
      own.filter(({ isType }) => !isType),
    ),
    ...group(
      'Types',
      own.filter(({ isType }) => isType),
    ),
    ...elsewhere,
    '',
  ].join('\n\n')
}

function describe(one: DocumentedName, pageOf: ReadonlyMap<string, string>): string {
  const { name, signature, text, examples, params, throws, place } = one
  const markdown = (words: string) => toMarkdown(words, pageOf)
  return [
    `### ${name} {#${name}}`,
    markdown(text),
    `\`\`\`ts\n${signature}\n\`\`\``,
    ...(params.length
      ? [params.map((param) => `- \`${param.name}\`: ${markdown(param.text)}`).join('\n')]
      : []),
    ...throws.map((words) => `**Throws** ${markdown(words)}`),
    ...examples.map((code) => `\`\`\`ts\n${code}\n\`\`\``),
    `<small>Declared in <code>${place}</code></small>`,
  ].join('\n\n')
}

/** The words of a docblock as Markdown that a Vue page may hold. */
function toMarkdown(text: string, pageOf: ReadonlyMap<string, string>): string {
  return text
    .split(/(```.*?```|`[^`]*`)/s)
    .map((piece, index) =>
      // Only what is no code may hold what a page takes for HTML.
      index % 2
        ? `${piece}`
        : piece
            .replaceAll('<', '&lt;')
            .replaceAll('{{', '&#123;&#123;')
            .replaceAll(/\{@link(?:plain|code)? ([\w.]+)[^}]*\}/g, (_, target: string) => {
              const page = pageOf.get(target)
              return page === undefined ? `\`${target}\`` : `[\`${target}\`](./${page}#${target})`
            }),
    )
    .join('')
}
