import { expect, test } from 'vitest'
import { anyProblems, fileLengthProblems, functionLengthProblems } from './sourceRules.ts'
import { readSources } from './sources.ts'

const lines = (count: number, line = '  work()'): string =>
  Array.from({ length: count }, () => line).join('\n')
const check = (rule: typeof anyProblems, text: string): string[] =>
  rule({ path: 'core/a.ts', text })

test('any is found wherever a type may stand', () => {
  expect(
    check(anyProblems, 'const a: any = 1\nlet b = [] as any[]\nconst any = "any" // any'),
  ).toEqual(['core/a.ts:1 uses any', 'core/a.ts:2 uses any'])
})

test('a file of more than 250 lines needs a reason in its first line', () => {
  expect(check(fileLengthProblems, `${lines(250)}\n`)).toEqual([])
  expect(check(fileLengthProblems, lines(251))).toHaveLength(1)
  expect(check(fileLengthProblems, `// long: \n${lines(251)}`)).toHaveLength(1)
  expect(check(fileLengthProblems, `// long: one table\n${lines(251)}`)).toEqual([])
})

test.each([
  ['a function', `function a() {\n${lines(59)}\n}`],
  ['an async generator', `export async function* a() {\n${lines(59)}\n}`],
  ['an arrow function', `const a = () => {\n${lines(59)}\n}`],
  ['a method', `class A {\na() {\n${lines(59)}\n}\n}`],
  ['a constructor', `class A {\nconstructor() {\n${lines(59)}\n}\n}`],
  ['a getter in an object', `const a = {\nget b() {\n${lines(59)}\n}\n}`],
])('%s of more than 60 lines needs a reason right above it', (_kind, text) => {
  expect(check(functionLengthProblems, text)).toEqual([expect.stringContaining('has 61 lines')])
  expect(
    check(functionLengthProblems, text.replace(/^.*\{\n(?= {2}work)/m, '// long: one table\n$&')),
  ).toEqual([])
  expect(check(functionLengthProblems, text.replace('  work()\n', ''))).toEqual([])
})

test('a docblock does not count as a line of its function, nor stand between it and its reason', () => {
  const text = `/**\n${lines(9, ' * why')}\n */\n// long: one table\nfunction a() {\n${lines(70)}\n}`
  expect(check(functionLengthProblems, text)).toEqual([])
  expect(check(functionLengthProblems, text.replace('// long: one table\n', ''))).toEqual([
    expect.stringContaining('a has 72 lines'),
  ])
})

test('the sources use no any', () => {
  expect(readSources().flatMap(anyProblems)).toEqual([])
})

test('no source file is long without a reason', () => {
  expect(readSources().flatMap(fileLengthProblems)).toEqual([])
})

test('no function is long without a reason', () => {
  expect(readSources().flatMap(functionLengthProblems)).toEqual([])
})
