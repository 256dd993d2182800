import { jsonValue as anyJsonValue, type Arbitrary, type JsonSharedConstraints } from 'fast-check'

/** Any value as JSON gives it back: without the `-0` that JSON writes as `0`. */
export const jsonValue = (constraints?: JsonSharedConstraints): Arbitrary<unknown> =>
  anyJsonValue(constraints).map((value): unknown => JSON.parse(JSON.stringify(value)))
