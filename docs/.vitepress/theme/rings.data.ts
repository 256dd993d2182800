import { drawRings, readRings, tellRings } from '../../scripts/architecture.ts'

/** What the data loader gives. */
export interface RingsData {
  svg: string
  lines: string[]
}

declare const data: RingsData
export { data }

export default {
  watch: ['../../../packages/vue-llm/src/**/*.ts'],
  load(): RingsData {
    const graph = readRings()
    return { svg: drawRings(graph, 'Import graph'), lines: tellRings(graph) }
  },
}
