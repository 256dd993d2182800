import { toRaw, toValue } from 'vue'
import { defined, LLMError, providerTraits } from '../core'
import type { AnyTool, ChatLimits, Provider, RunChatOptions, RunRequest } from '../core'
import type { UseChatOptions } from './useChat'

/** The limits as they are now. @internal */
export function limitsOf(options: UseChatOptions): ChatLimits {
  return defined({
    maxToolRoundtrips: toValue(options.maxToolRoundtrips),
    autoSendToolResults: toValue(options.autoSendToolResults),
  })
}

/** What a run needs of the options, through getters: a change holds from the next request on. @internal */
export function runOptions(
  options: UseChatOptions,
  chatId: () => string,
): Omit<RunChatOptions, 'messages'> {
  return {
    get provider() {
      return withRawMessages(toRaw(toValue(options.provider)))
    },
    get request(): RunRequest {
      return {
        model: toValue(options.model) ?? '',
        chatId: chatId(),
        ...defined({
          system: toValue(options.system),
          settings: toValue(options.settings),
          toolChoice: toValue(options.toolChoice),
          headers: toValue(options.headers),
          body: toValue(options.body),
        }),
      }
    },
    get tools(): readonly AnyTool[] | undefined {
      return toRaw(toValue(options.tools))
    },
    get limits() {
      return limitsOf(options)
    },
    get onToolCall() {
      return options.onToolCall
    },
    get prepareStep() {
      return options.prepareStep
    },
    get validator() {
      return options.validator
    },
    generateId: options.generateId,
  }
}

/** Requests are built from raw messages: reading a long transcript through proxies costs twenty times as much. */
function withRawMessages(provider: Provider): Provider {
  // Types tell of it where there are types; else the engine's own words would be all that one reads.
  if (!provider?.stream) throw new LLMError('misuse', 'useChat needs a provider')
  return {
    ...providerTraits(provider),
    stream: (request) => provider.stream({ ...request, messages: toRaw(request.messages) }),
  }
}
