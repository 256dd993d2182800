/** What stands between `#region source` and `#endregion` in a file, moved to the left; without such marks all of it. */
export function toSnippet(file: string): string {
  const regions = [...file.matchAll(/^.*#region source.*\n([^]*?)^.*#endregion.*$/gm)]
  const texts = regions.length ? regions.map(([, text = '']) => text) : [file]
  return texts.map(toLeft).join('\n')
}

function toLeft(text: string): string {
  const lines = text.trimEnd().split('\n')
  const widths = lines.filter((line) => line.trim()).map((line) => line.search(/\S/))
  const width = Math.min(...widths)
  return `${lines.map((line) => line.slice(width)).join('\n')}\n`
}
