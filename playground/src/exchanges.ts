import { inject, provide, type InjectionKey } from 'vue'
import type { HttpToolEvent } from 'vue-llm/http-tools'

/** What the calls of tools sent and got, by the calls' ids. */
export type Exchanges = ReadonlyMap<string, HttpToolEvent>

const key: InjectionKey<Exchanges> = Symbol('exchanges')

/** Makes exchanges known to the components below. */
export const provideExchanges = (exchanges: Exchanges): void => provide(key, exchanges)

/** The exchanges, on a page whose tools are requests. */
export const useExchanges = (): Exchanges | undefined => inject(key, undefined)
