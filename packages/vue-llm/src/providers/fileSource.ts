import type { FilePart } from '../core'

/** A file as wires take it: with `data` (base64), or with `url`. @internal */
export function toFileSource(file: Omit<FilePart, 'step'>): Omit<FilePart, 'step' | 'type'> {
  // No model fetches a `data:` URL.
  const [, mediaType, data] = /^data:([^;,]*).*?;base64,(.*)/s.exec(file.url ?? '') ?? []
  return data ? { ...file, mediaType: file.mediaType || `${mediaType}`, data } : file
}
