import { describe, expect, it } from 'vitest'
import { redactDefinitions } from './redactDefinitions'

const parameters = { type: 'object', properties: { token: {}, user: {} } }
const shown = (headers: Record<string, string>, url = 'https://h.example/') =>
  redactDefinitions([{ name: 'a', url, headers, parameters }])[0]

describe('D28 what is shown of definitions', () => {
  it.each([
    ['Authorization', 'Bearer abc'],
    ['authorization', 'abc'],
    ['Proxy-Authorization', 'Basic abc'],
    ['Cookie', 'session=1'],
    ['X-Api-Key', 'k-123'],
    ['X-Token', 't'],
    ['My-Secret', 's'],
    ['X-Password', 'p'],
    ['X-Auth', 'a'],
    ['Authorization', 'Bearer abc{token}'],
    ['Authorization', 'Secretword {token}'],
    ['X-Api-Key', '{undeclared}'],
  ])('the literal in %s: %s is not', (name, value) => {
    expect(shown({ [name]: value })?.headers).toEqual({ [name]: '***' })
  })

  it.each([
    ['Authorization', 'Bearer {token}'],
    ['Authorization', '{token}'],
    ['Cookie', '{user}{token}'],
    ['X-Tool', 'audio-agent-engine'],
    ['Content-Type', 'application/json'],
    ['X-Api-Key', ''],
  ])('%s: %s is', (name, value) => {
    expect(shown({ [name]: value })?.headers).toEqual({ [name]: value })
  })

  it.each([
    ['https://user:pass@h.example/a?b=c@d', 'https://***@h.example/a?b=c@d'],
    ['https://user@h.example', 'https://***@h.example'],
    ['https:user:p@ss@h.example/', 'https:***@h.example/'],
    ['https:\\\\user:pass@h.example', 'https:\\\\***@h.example'],
    [' ht\ntps://user:pa\tss@h.example', ' https://***@h.example'],
    ['//user:pass@h.example/a', '//***@h.example/a'],
    ['{scheme}://user:pass@h.example/a', '{scheme}://***@h.example/a'],
    ['\u0001https://user:pass@h.example/a', '\u0001https://***@h.example/a'],
    ['/a@b', '/a@b'],
    ['a@b/c//d', 'a@b/c//d'],
    ['https://h.example/a@b', 'https://h.example/a@b'],
    ['https://h.example/?api_key=abc&q=x#f', 'https://h.example/?api_key=***&q=x#f'],
    ['https://h.example/?q=x&token={token}', 'https://h.example/?q=x&token={token}'],
    ['https://{host}/{id}?format=3', 'https://{host}/{id}?format=3'],
  ])('of the URL %j it is %j', (url, expected) => {
    expect(shown({}, url)?.url).toBe(expected)
  })

  it('everything else is as it was, and so are the definitions themselves', () => {
    const definition = {
      name: 'a',
      description: 'd',
      parameters,
      url: 'https://u:p@h.example/',
      method: 'GET',
      headers: { 'X-Key': 'k' },
    }
    const before = structuredClone(definition)
    expect(redactDefinitions([definition])).toEqual([
      { ...before, url: 'https://***@h.example/', headers: { 'X-Key': '***' } },
    ])
    expect(definition).toEqual(before)
  })
})
