/** A key as a part of a JSON Pointer (RFC 6901). */
export const pointer = (key: string): string => `/${key.replace(/~/g, '~0').replace(/\//g, '~1')}`
