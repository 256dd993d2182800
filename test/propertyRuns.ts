/**
 * How many runs a property test makes: `usual`, or `PROPERTY_RUNS` where that is set (`npm run
 * test:long`, which picks the files named `*.property.test.ts`).
 */
export function propertyRuns(usual: number): number {
  const wanted = Number(process.env['PROPERTY_RUNS'])
  return Number.isInteger(wanted) && wanted > 0 ? wanted : usual
}
