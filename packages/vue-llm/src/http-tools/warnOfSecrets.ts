import { isCredentialName } from './credentials'
import type { HttpToolDefinition, HttpToolOptions } from './types'

/** Headers that a page may not set: the browser leaves them out without a word. */
const unsettable =
  /^(accept-(charset|encoding)|access-control-.*|cookie2?|date|dnt|host|origin|referer|via|sec-.*)$/i

/** In a page, while developing: says which headers everybody could read, and which never leave. */
export function warnOfSecrets(
  definitions: readonly HttpToolDefinition[],
  { silenceSecretWarning }: HttpToolOptions,
): void {
  if (silenceSecretWarning || typeof document === 'undefined') return
  for (const { name, headers = {} } of definitions) {
    for (const [header, value] of Object.entries(headers)) {
      if (unsettable.test(header)) {
        console.warn(`[vue-llm] tool '${name}': browsers don't send the header '${header}'`)
      } else if (isCredentialName(header) && hasLiteral(value)) {
        console.warn(
          `[vue-llm] tool '${name}': the value of '${header}' stands in the page, where everybody can read it. ` +
            'Run the tool on the server (vue-llm/server), or say silenceSecretWarning: true.',
        )
      }
    }
  }
}

/** Whether a value holds more than placeholders and the word of an auth scheme. */
const hasLiteral = (value: string): boolean =>
  !/^\s*((api-?key|basic|bearer|digest|jwt|key|negotiate|token)\s+)?(\{[^{}]+\}\s*)*$/i.test(value)
