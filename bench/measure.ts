/** One line of a table. */
export interface Row {
  what: string
  value: number
  unit: string
  /** What it is compared with, and how it compares. */
  against?: string
}

/** What is measured; an array of it is measured in turn, so that the machine's moods hit all alike. */
export type Work = () => unknown

/** The median time of each, in milliseconds. */
export async function medians(works: readonly Work[], runs = 15, warmUps = 3): Promise<number[]> {
  const times: number[][] = works.map(() => [])
  for (let run = -warmUps; run < runs; run++) {
    for (const [index, work] of works.entries()) {
      const before = performance.now()
      await work()
      if (run >= 0) times[index]?.push(performance.now() - before)
    }
  }
  return times.map((all) => all.sort((a, b) => a - b)[all.length >> 1] ?? NaN)
}

/** How often the base is in a value, for {@link Row.against}. */
export const ratio = (value: number, base: number, name: string): string =>
  `${(value / base).toFixed(2)} × ${name}`
