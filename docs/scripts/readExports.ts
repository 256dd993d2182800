import ts from 'typescript'

/** One exported name with what its docblock says. */
export interface DocumentedName {
  name: string
  isType: boolean
  internal: boolean
  /** The declaration without its docblock and body. */
  signature: string
  text: string
  examples: string[]
  params: { name: string; text: string }[]
  throws: string[]
  /** Where it is declared, within its package's `src`. */
  place: string
}

/** What each file exports, sorted by name. */
export function readExports(files: readonly string[]): Map<string, DocumentedName[]> {
  const program = ts.createProgram(files, {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts'],
    strict: true,
    noEmit: true,
    types: [],
  })
  const checker = program.getTypeChecker()
  return new Map(
    files.map((file) => {
      const source = program.getSourceFile(file)
      const module = source && checker.getSymbolAtLocation(source)
      const names = (module ? checker.getExportsOfModule(module) : []).map((symbol) =>
        describe(symbol, checker),
      )
      return [file, names.toSorted((a, b) => (a.name < b.name ? -1 : 1))]
    }),
  )
}

function describe(symbol: ts.Symbol, checker: ts.TypeChecker): DocumentedName {
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
  const tags = target.getJsDocTags(checker)
  const wordsOf = (name: string) =>
    tags.filter((tag) => tag.name === name).map(({ text }) => ts.displayPartsToString(text))
  const declarations = target.declarations ?? []
  const [first] = declarations
  return {
    name: symbol.name,
    isType: !(target.flags & ts.SymbolFlags.Value),
    internal: tags.some(({ name }) => name === 'internal'),
    signature: signatureOf(symbol.name, target, checker),
    text: ts.displayPartsToString(target.getDocumentationComment(checker)),
    examples: wordsOf('example'),
    params: wordsOf('param').map((words) => {
      const [, name = '', text = ''] = /^(\S+)\s*(.*)$/s.exec(words) ?? []
      return { name, text }
    }),
    throws: first ? throwsOf(first) : [],
    place: first?.getSourceFile().fileName.replace(/^.*\/src\//, '') ?? '',
  }
}

/** As written: the compiler takes a link after `@throws` for a type, and ends the tag there. */
function throwsOf(declaration: ts.Declaration): string[] {
  return ts
    .getJSDocCommentsAndTags(declaration)
    .flatMap((comment) => comment.getText().split(/^[\s*]*@/m))
    .filter((tag) => /^throws\b/.test(tag))
    .map((tag) =>
      tag
        .replace(/^throws\s*/, '')
        .replace(/\s*\*\/$/, '')
        .replaceAll(/\n\s*\*\s?/g, '\n')
        .trim(),
    )
}

function signatureOf(name: string, symbol: ts.Symbol, checker: ts.TypeChecker): string {
  const declarations = symbol.declarations ?? []
  const overloads = declarations.filter((one) => ts.isFunctionDeclaration(one) && !one.body)
  return (overloads.length ? overloads : declarations)
    .map((declaration) => textOf(name, declaration, symbol, checker))
    .join('\n')
}

/** The source text of a node up to another one, without what a reader has no use for. */
function cut(node: ts.Node, end = node.getEnd()): string {
  return node
    .getSourceFile()
    .text.slice(node.getStart(), end)
    .replace(/^export /, '')
    .replaceAll(/^\s*\/\/ .*\n/gm, '')
    .replaceAll(/\{@link(?:plain|code)? ([^}]*)\}/g, '$1')
    .trimEnd()
}

function textOf(
  name: string,
  declaration: ts.Declaration,
  symbol: ts.Symbol,
  checker: ts.TypeChecker,
): string {
  if (ts.isFunctionDeclaration(declaration)) {
    return cut(declaration, declaration.body?.getStart())
  }
  if (ts.isClassDeclaration(declaration)) {
    const head = cut(declaration, declaration.members.pos)
    const members = declaration.members
      .filter(({ name: key }) => !key || !ts.isComputedPropertyName(key))
      .map((member) => `  ${cut(member, 'body' in member ? bodyStart(member) : undefined)}`)
    return [head, ...members, '}'].join('\n')
  }
  if (!ts.isVariableDeclaration(declaration)) return cut(declaration)
  const { type, initializer } = declaration
  if (type) return `const ${name}: ${type.getText()}`
  if (initializer && ts.isArrowFunction(initializer)) {
    return `function ${name}${cut(initializer, initializer.equalsGreaterThanToken.getStart())}`
  }
  const flags =
    ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope
  return `const ${name}: ${checker.typeToString(checker.getTypeOfSymbol(symbol), declaration, flags)}`
}

function bodyStart(member: ts.ClassElement): number | undefined {
  const { body } = member as ts.ClassElement & { body?: ts.Node }
  return body?.getStart()
}
