/** The places of a definition file, as JSON Pointers, that do not fit `tools.schema.json`. */
export function invalidPaths(data: unknown): string[]
