import { applyChunkSuite } from './applyChunk'
import { fromJSONSuite } from './fromJSON'
import type { Row } from './measure'
import { partialArgs } from './partialArgs'
import { scanner } from './scanner'
import { serverLoad } from './serverLoad'
import { sseToChunks } from './sseToChunks'
import { nextStepSuite, toOpenAIBodySuite } from './transcripts'

/** What `run.mjs` runs, by name. */
export const suites: Record<string, () => AsyncGenerator<Row>> = {
  scanner,
  applyChunk: applyChunkSuite,
  sseToChunks,
  partialArgs,
  nextStep: nextStepSuite,
  toOpenAIBody: toOpenAIBodySuite,
  fromJSON: fromJSONSuite,
  serverLoad,
}
