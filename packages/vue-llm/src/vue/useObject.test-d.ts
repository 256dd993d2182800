import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expectTypeOf, it } from 'vitest'
import { computed, reactive, ref } from 'vue'
import { useCompletion, useObject, type LLMError, type Provider, type Usage } from 'vue-llm'
import { z } from 'zod'

declare const provider: Provider

interface Recipe {
  title: string
  servings: number
  steps: { text: string; kind: 'cook' | 'wait' }[]
}

describe('useObject', () => {
  it('infers from a JSON Schema written in place', () => {
    const { object, result, submit } = useObject({
      provider,
      schema: {
        type: 'object',
        properties: {
          title: { type: 'string' },
          kind: { enum: ['soup', 'cake'] },
          tags: { type: 'array', items: { type: 'string' } },
        },
        required: ['title', 'kind'],
      },
    })
    interface Whole {
      title: string
      kind: 'soup' | 'cake'
      tags?: string[]
    }
    expectTypeOf(result.value).toEqualTypeOf<Whole | undefined>()
    expectTypeOf(submit).returns.resolves.toEqualTypeOf<Whole | undefined>()
    expectTypeOf(object.value?.title).toEqualTypeOf<string | undefined>()
    // A text may be cut while it arrives.
    expectTypeOf(object.value?.kind).toEqualTypeOf<string | undefined>()
    expectTypeOf(object.value?.tags).toEqualTypeOf<string[] | undefined>()
    // @ts-expect-error no such field
    void object.value?.nothing
    // @ts-expect-error replaced, never edited
    if (object.value) object.value.title = ''
  })

  it('infers from zod: what the model writes, and what comes of it', () => {
    const { object, result } = useObject({
      provider,
      schema: z.object({
        title: z.string(),
        servings: z.string().transform(Number),
        steps: z.array(z.object({ text: z.string(), kind: z.enum(['cook', 'wait']) })),
      }),
      onFinish: (event) => {
        expectTypeOf(event.result).toEqualTypeOf<Recipe | undefined>()
        expectTypeOf(event.usage).toEqualTypeOf<Usage>()
      },
    })
    expectTypeOf(result.value).toEqualTypeOf<Recipe | undefined>()
    expectTypeOf(object.value?.servings).toEqualTypeOf<string | undefined>()
    expectTypeOf(object.value?.steps?.[0]?.text).toEqualTypeOf<string | undefined>()
  })

  it('infers from valibot and arktype', () => {
    const valibot = useObject({
      provider,
      schema: v.object({ title: v.string(), n: v.pipe(v.string(), v.transform(Number)) }),
    })
    expectTypeOf(valibot.result.value).toEqualTypeOf<{ title: string; n: number } | undefined>()
    expectTypeOf(valibot.object.value?.n).toEqualTypeOf<string | undefined>()
    const arktype = useObject({ provider, schema: type({ title: 'string', 'n?': 'number' }) })
    expectTypeOf(arktype.result.value).toEqualTypeOf<{ title: string; n?: number } | undefined>()
  })

  it('takes data as refs and getters, and gives readonly state', () => {
    const { error, status, usage, object, submit } = useObject({
      provider: () => provider,
      model: ref('m'),
      settings: computed(() => ({ temperature: 0 })),
      mode: () => 'tool',
      schema: { type: 'object' },
    })
    expectTypeOf(error.value).toEqualTypeOf<LLMError | undefined>()
    expectTypeOf(usage.value).toEqualTypeOf<Usage>()
    // @ts-expect-error readonly
    status.value = 'ready'
    // @ts-expect-error readonly
    object.value = {}
    expectTypeOf(submit).toBeCallableWith([{ role: 'user', content: 'x' }])
    // @ts-expect-error not a mode
    useObject({ provider, schema: { type: 'object' }, mode: 'xml' })
    // @ts-expect-error a schema is needed
    useObject({ provider })
    expectTypeOf(
      reactive(useObject({ provider, schema: z.object({ a: z.string() }) })).result,
    ).toEqualTypeOf<{ a: string } | undefined>()
  })
})

describe('useCompletion', () => {
  it('gives text', () => {
    const { completion, complete, input, handleSubmit } = useCompletion({
      provider,
      onFinish: ({ completion: text }) => expectTypeOf(text).toEqualTypeOf<string>(),
    })
    expectTypeOf(completion.value).toEqualTypeOf<string>()
    expectTypeOf(complete).returns.resolves.toEqualTypeOf<string>()
    input.value = 'text'
    expectTypeOf(handleSubmit).toBeCallableWith(new Event('submit'))
    // @ts-expect-error it has no tools
    useCompletion({ provider, tools: [] })
  })
})
