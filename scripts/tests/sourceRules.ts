import ts from 'typescript'
import { lineAt, parse, type Source, walk } from './sources.ts'

/** The most lines a file may have without a reason. */
export const maxFileLines = 250

/** The most lines a function may have without a reason. */
export const maxFunctionLines = 60

/** A comment that gives the reason for a long file (first line) or function (the line above). */
const reason = /^\s*\/\/ long: \S/

/** Every use of the type `any`. */
export function anyProblems(source: Source): string[] {
  const file = parse(source)
  const found: string[] = []
  walk(file, (node) => {
    if (node.kind !== ts.SyntaxKind.AnyKeyword) return
    found.push(`${source.path}:${lineAt(file, node.getStart())} uses any`)
  })
  return found
}

/** A file that is too long and does not say why. */
export function fileLengthProblems({ path, text }: Source): string[] {
  const lines = text.replace(/\n$/, '').split('\n')
  if (lines.length <= maxFileLines || reason.test(lines[0] ?? '')) return []
  return [
    `${path} has ${lines.length} lines (at most ${maxFileLines}, or "// long: why" as its first)`,
  ]
}

function isFunctionWithBody(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function nameOf(node: ts.FunctionLikeDeclaration): string {
  if (ts.isConstructorDeclaration(node)) return 'the constructor'
  if (node.name !== undefined) return node.name.getText()
  const { parent } = node
  return ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)
    ? parent.name.getText()
    : 'a function'
}

/** Every function that is too long and does not say why on the line right above it. */
export function functionLengthProblems(source: Source): string[] {
  const file = parse(source)
  const lines = file.text.split('\n')
  const found: string[] = []
  walk(file, (node) => {
    if (!isFunctionWithBody(node)) return
    const start = lineAt(file, node.getStart())
    const length = lineAt(file, node.getEnd()) - start + 1
    if (length <= maxFunctionLines || reason.test(lines[start - 2] ?? '')) return
    found.push(
      `${source.path}:${start} ${nameOf(node)} has ${length} lines ` +
        `(at most ${maxFunctionLines}, or "// long: why" right above it)`,
    )
  })
  return found
}
