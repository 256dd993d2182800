import { isCredentialName } from './credentials'
import { pointer } from './pointer'
import { hasQuerySecret } from './redact'
import { fillTemplate, isNameLike, placeholderTest, readURLTemplate } from './template'
import type { DefinitionOptions, HttpToolDefinition } from './types'
import { isVerb, sendsQuery } from './verbs'

/** Notes something about a place. */
type Note = (path: string, message: string) => void

/** Headers that belong to the connection and not to a request. */
const hopByHop =
  /^(connection|keep-alive|proxy-.*|transfer-encoding|upgrade|te|trailer|content-length|expect)$/

/**
 * Finds what the schema can't say about a definition: what fails, and what works but perhaps not as meant. A field that
 * the schema refused is missing here; only the value of a header may be of any type.
 */
export function checkDefinition(
  definition: HttpToolDefinition,
  path: string,
  { baseURL = globalThis.document?.baseURI }: DefinitionOptions,
  fail: Note,
  warn: Note,
): void {
  const { name = '', description, url = '', method = 'POST', headers = {} } = definition
  const { inHeader, inURL } = placeholderTest(definition)
  const declared = (at: string) => (arg: string) => {
    if (!inHeader(arg)) warn(at, `{${arg}} is not declared in parameters`)
    return ''
  }
  if (!/^[\w-]+$/.test(name)) warn(`${path}/name`, 'some models take letters, digits, _ and - only')
  if (!description) warn(`${path}/description`, 'missing, but models decide by it')
  if (!isVerb(method) || /^connect$/i.test(method)) warn(`${path}/method`, 'cannot be sent')
  const urlAt = `${path}/url`
  fillTemplate(url, inURL, declared(urlAt))
  const { masked, isOpen } = readURLTemplate(url, inURL)
  if (/\/\/[^/?#]*@/.test(masked) || hasQuerySecret(url)) {
    warn(urlAt, 'secrets belong in headers')
  }
  let protocol
  try {
    protocol = new URL(masked, baseURL).protocol
  } catch {
    // No URL: the same answer as for one of another scheme.
  }
  if (isOpen) warn(urlAt, 'a call chooses the host: see allowedHosts')
  else if (!/^https?:/.test(`${protocol}`)) {
    fail(urlAt, 'expected an absolute http(s) URL, or a baseURL')
  }
  const seen = new Set<string>()
  for (const [header, value] of Object.entries<unknown>(headers)) {
    const at = `${path}/headers${pointer(header)}`
    const key = header.toLowerCase()
    if (hopByHop.test(key)) fail(at, 'belongs to the connection, not to a request')
    if (seen.has(key)) warn(at, 'the same name again: the last counts')
    seen.add(key)
    if (typeof value !== 'string') continue
    const isCredential = isCredentialName(key)
    const filled = fillTemplate(value, isNameLike, declared(at))
    if (isCredential && /^trac[ek]$/i.test(method))
      warn(at, 'a server may show it in its answer to TRACE')
    if (isCredential && sendsQuery(method) && filled !== value) {
      warn(at, 'its argument is sent in the query too: see headerArgs')
    }
    if (key === 'content-type' && !/json/i.test(value)) warn(at, 'the body is JSON all the same')
  }
}
