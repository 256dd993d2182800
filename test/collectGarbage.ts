import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Lets all that runs come to its end, and frees what nothing holds any more. */
export async function collectGarbage(): Promise<void> {
  for (let time = 0; time < 4; time++) {
    await new Promise((resolve) => setTimeout(resolve, 30))
    collect()
  }
}

/** Bytes of the heap that are in use, without what nothing holds any more. */
export async function heapInUse(): Promise<number> {
  await collectGarbage()
  return getHeapStatistics().used_heap_size
}
