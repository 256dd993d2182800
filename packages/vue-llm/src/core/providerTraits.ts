import type { Provider } from './types'

/** What a wrapper keeps of the provider it stands around, beside its methods. @internal */
export function providerTraits({ name, remote, structuredOutput }: Traits): Traits {
  return { name, ...(remote && { remote }), ...(structuredOutput && { structuredOutput }) }
}

type Traits = Pick<Provider, 'name' | 'remote' | 'structuredOutput'>
