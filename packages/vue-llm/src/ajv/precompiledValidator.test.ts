import { Ajv } from 'ajv'
import standaloneCode from 'ajv/dist/standalone'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { precompiledValidator, type CompiledSchema } from './index'

/** What a build step writes: one module, a function for each tool. */
async function compileTools(): Promise<Readonly<Record<string, CompiledSchema>>> {
  const ajv = new Ajv({ code: { source: true, esm: true }, allErrors: true, strict: false })
  const schemas = {
    get_weather: {
      type: 'object',
      properties: { city: { type: 'string', minLength: 2 }, days: { type: 'integer' } },
      required: ['city'],
      additionalProperties: false,
    },
  }
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name)
  const contents = standaloneCode(ajv, { get_weather: 'get_weather' })
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'esm',
    write: false,
  })
  const text = outputFiles[0]?.text ?? ''
  expect(text).not.toMatch(/new Function|eval\(/)
  return import(`data:text/javascript,${encodeURIComponent(text)}`)
}

it('checks by functions of ajv’s standalone code, keyed by the names of the tools', async () => {
  const validator = precompiledValidator(await compileTools())
  const tool = { name: 'get_weather' }
  expect(validator(tool, { city: 'Rome', days: 2 })).toBe(undefined)
  expect(validator(tool, { city: 'x', days: '2', when: 1 })).toBe(
    'invalid arguments for tool \'get_weather\': must NOT have additional properties: "when"; ' +
      '/city must NOT have fewer than 2 characters; /days must be integer',
  )
  // No problem of the call before is left.
  expect(validator(tool, { city: 'Rome' })).toBe(undefined)
})

it('lets calls of tools pass that it has no function for', () => {
  const validator = precompiledValidator({})
  for (const name of ['other', 'toString', '__proto__']) {
    expect(validator({ name }, { a: 1 })).toBe(undefined)
  }
})

it('takes any function that says false, with or without problems', () => {
  const validator = precompiledValidator({ t: () => false })
  expect(validator({ name: 't' }, {})).toMatch(/^invalid arguments for tool 't'/)
})
