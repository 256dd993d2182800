import { describe, expect, it } from 'vitest'
import { transcriptProblems, type WireMessage } from './transcriptProblems'

const user: WireMessage = { role: 'user', content: 'hi' }
const assistant = (...ids: string[]): WireMessage => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: 't', arguments: '{}' },
  })),
})
const tool = (id: string): WireMessage => ({ role: 'tool', tool_call_id: id, content: 'x' })

describe('the strict provider takes', () => {
  it.each<[string, WireMessage[]]>([
    ['a question', [user]],
    ['a call with its answer', [user, assistant('a'), tool('a')]],
    ['two calls with theirs', [user, assistant('a', 'b'), tool('a'), tool('b'), user]],
    ['two rounds', [user, assistant('a'), tool('a'), assistant('b'), tool('b')]],
  ])('%s', (_, messages) => {
    expect(transcriptProblems(messages)).toEqual([])
  })
})

describe('the strict provider refuses', () => {
  it.each<[string, WireMessage[], RegExp]>([
    ['a call without its answer', [user, assistant('a'), user], /did not have response/],
    ['a call at the end', [user, assistant('a')], /did not have response/],
    ['an answer missing', [user, assistant('a', 'b'), tool('b'), user], /tool message b/],
    ['an answer too late', [user, assistant('a'), user, tool('a')], /tool message a/],
    ['an answer without a call', [user, tool('a')], /tool message a/],
    ['two answers to a call', [user, assistant('a'), tool('a'), tool('a')], /tool message a/],
    ['an id used twice', [user, assistant('a', 'a'), tool('a'), tool('a')], /used twice/],
    ['an empty answer', [user, { role: 'assistant', content: null }, user], /empty/],
    ['an answer of the model at the end', [user, { role: 'assistant', content: 'a' }], /last/],
  ])('%s', (_, messages, problem) => {
    expect(transcriptProblems(messages).join()).toMatch(problem)
  })
})
