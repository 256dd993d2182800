import { isCredentialName, type HttpToolDefinition } from '../http-tools'

/**
 * Definitions as they may be shown: user and password of a URL, and the literal values of headers and query parameters
 * whose names say that they are credentials, become `***`. A value of nothing but placeholders and an auth scheme
 * stays.
 * @internal
 */
export function redactDefinitions(
  definitions: readonly HttpToolDefinition[],
): HttpToolDefinition[] {
  return definitions.map((definition) => {
    const { url, headers, parameters } = definition
    const isArg = (name: string) => Object.hasOwn(parameters?.properties ?? {}, name)
    const redact = (name: string, value: string) =>
      isCredentialName(name) && hasLiteral(value, isArg) ? '***' : value
    return {
      ...definition,
      url: url
        // As the URL parser reads it: without line breaks, with any number of slashes of either kind, or none.
        .replace(/[\t\n\r]/g, '')
        .replace(/^(\s*[a-z][\w+.-]*:[\\/]*|[^\\/?#]*[\\/]{2,})[^\\/?#]*@/i, '$1***@')
        .replace(/([?&])([^=&#]+)=([^&#]*)/g, (_, mark: string, name: string, value: string) =>
          [mark, name, '=', redact(name, value)].join(''),
        ),
      ...(headers && {
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, redact(name, value)]),
        ),
      }),
    }
  })
}

/** Whether a value holds more than placeholders of arguments and the word of an auth scheme. */
function hasLiteral(value: string, isArg: (name: string) => boolean): boolean {
  const rest = value.replace(/\{([^{}]+)\}/g, (text, name: string) => (isArg(name) ? '' : text))
  return !/^\s*((api-?key|basic|bearer|digest|jwt|key|negotiate|token)\s*)?$/i.test(rest)
}
