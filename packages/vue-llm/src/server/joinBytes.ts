/** Pieces of so many bytes together as one; a single piece is not copied. @internal */
export function joinBytes(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = pieces
  if (first?.length === size) return first
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
