import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder =
  process.env['VUE_LLM_CONFORMANCE'] ||
  fileURLToPath(new URL('../../../../shared/conformance', import.meta.url))

/** Whether the kit of recorded streams and reported cases is there; it is no part of this repository. */
export const hasKit = existsSync(join(folder, 'streams.json'))

if (!hasKit) {
  console.log(`No conformance kit at ${folder} (VUE_LLM_CONFORMANCE): its suites are left out.`)
}

/** A file of the kit. */
export const readKit = (file: string): Buffer => readFileSync(join(folder, file))

/** A list of entries of the kit. */
export const readEntries = <T>(file: string): T[] => JSON.parse(readKit(file).toString()) as T[]

/** A reported case that has this id. */
export function reportedCase(id: string): ReportedCase {
  const found = readEntries<ReportedCase>('reported-cases.json').find((one) => one.id === id)
  if (!found) throw new Error(`the conformance kit has no reported case ${id}`)
  return found
}

/** One entry of `reported-cases.json`, as far as tests read it. */
export interface ReportedCase {
  id: string
  about: string
  format: string
  chunks: string[]
  tools?: { name: string }[]
  expect: {
    snapshots?: { after: number; args?: object; mustContain?: object }[]
    final?: Record<string, unknown>
    toolCalls?: { id?: string; name: string; args: object }[]
    executed?: string[]
  }
}
