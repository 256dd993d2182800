import { describe, expect, it, vi } from 'vitest'
import { effectScope, ref, watch } from 'vue'
import { createScriptedProvider, finish, hang, reasoning, toolCall, type Script } from '../testing'
import { useCompletion, type UseCompletionOptions } from './useCompletion'

function completionOf(script: Script, options: Partial<UseCompletionOptions> = {}) {
  const provider = createScriptedProvider(script)
  return { ...provider, ...useCompletion({ provider, model: 'm', ...options }) }
}

const until = (holds: () => unknown) =>
  vi.waitFor(() => {
    if (!holds()) throw new Error(`it never came about: ${holds}`)
  })

describe('useCompletion', () => {
  it('gives the text as it grows, and resolves with it', async () => {
    const { completion, complete, status, usage } = completionOf(
      [[reasoning('hm'), 'Hello', ' there', finish('stop', { inputTokens: 1, outputTokens: 2 })]],
      { throttleMs: 0 },
    )
    const seen: string[] = []
    watch(completion, (text) => seen.push(text), { flush: 'sync' })
    const asked = complete('hi')
    expect(status.value).toBe('submitted')
    expect(await asked).toBe('Hello there')
    expect(seen).toEqual(['Hello', 'Hello there'])
    expect(status.value).toBe('ready')
    expect(usage.value).toEqual({ inputTokens: 1, outputTokens: 2 })
  })

  it('knows nothing of the prompt before', async () => {
    const { completion, complete, requests } = completionOf(['a', 'b'])
    await complete('1')
    const second = complete('2')
    expect(completion.value).toBe('')
    expect(await second).toBe('b')
    expect(requests.map(({ messages }) => messages.length)).toEqual([1, 1])
  })

  it('a new prompt ends one that runs; each promise gives its own text', async () => {
    const { completion, complete, requests } = completionOf([['half', hang], 'whole'])
    const first = complete('1')
    await until(() => completion.value)
    expect(await Promise.all([first, complete('2')])).toEqual(['half', 'whole'])
    expect(requests[0]?.signal.aborted).toBe(true)
    expect(completion.value).toBe('whole')
  })

  it('handleSubmit sends the input, which stays, and nothing that is blank', async () => {
    const { input, handleSubmit, requests } = completionOf(['a'])
    const preventDefault = vi.fn<() => void>()
    input.value = ' '
    await handleSubmit({ preventDefault })
    expect(requests).toHaveLength(0)
    input.value = 'hi'
    await handleSubmit({ preventDefault })
    expect(preventDefault).toHaveBeenCalledTimes(2)
    expect(requests[0]?.messages[0]?.parts).toMatchObject([{ type: 'text', text: 'hi' }])
    expect(input.value).toBe('hi')
  })

  it('stop keeps what came', async () => {
    const { completion, complete, stop, status, error } = completionOf([['half', hang]])
    const asked = complete('1')
    await until(() => completion.value)
    stop()
    expect(await asked).toBe('half')
    expect([completion.value, status.value, error.value]).toEqual(['half', 'ready', undefined])
  })

  it('shows an error, calls back, and clears', async () => {
    const onError = vi.fn<(error: unknown) => void>()
    const onFinish = vi.fn<(event: unknown) => void>()
    const failure = { type: 'error', code: 'network', message: 'gone' } as const
    const { completion, complete, error, status, clear } = completionOf([['half', failure]], {
      onError,
      onFinish,
    })
    expect(await complete('1')).toBe('half')
    expect(error.value).toMatchObject({ code: 'network', message: 'gone' })
    expect(status.value).toBe('error')
    expect(onError).toHaveBeenCalledExactlyOnceWith(error.value)
    expect(onFinish).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ completion: 'half', isError: true, finishReason: 'error' }),
    )
    clear()
    expect([completion.value, error.value, status.value]).toEqual(['', undefined, 'ready'])
  })

  it('asks once even where the model calls what is no tool', async () => {
    const { complete, requests } = completionOf([['a', toolCall('x'), finish('tool-calls')], 'b'])
    expect(await complete('1')).toBe('a')
    expect(requests).toHaveLength(1)
  })

  it('reads options anew, and ends with its scope', async () => {
    const model = ref('a')
    const scope = effectScope()
    const { complete, completion, requests } = scope.run(() =>
      completionOf(['1', ['2', hang]], { model, system: () => `be ${model.value}` }),
    )!
    await complete('x')
    model.value = 'b'
    const asked = complete('y')
    await until(() => completion.value === '2')
    scope.stop()
    await asked
    expect(requests.map((request) => [request.model, request.system])).toEqual([
      ['a', 'be a'],
      ['b', 'be b'],
    ])
    expect(requests[1]?.signal.aborted).toBe(true)
  })
})
