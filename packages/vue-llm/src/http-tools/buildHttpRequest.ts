import { ToolError } from '../core'
import { requestError } from './credentials'
import { isAllowedHost } from './isAllowedHost'
import { readArgs } from './readArgs'
import { fillTemplate, placeholderTest, readURLTemplate, valueTexts } from './template'
import type { HttpRequest, HttpRequestOptions, HttpToolDefinition } from './types'
import { isVerb, sendsQuery, unsendable } from './verbs'

/** A request, and the origin that stands in its definition (`''` where the call chose it). */
export interface PreparedRequest {
  request: HttpRequest
  allowedOrigin: string
}

/**
 * The request that a call of a tool becomes (guide §3). Pure: nothing is sent.
 *
 * @param args The arguments, or the JSON text that the model wrote.
 * @throws `ToolError` where no request may be sent; its message is what the model reads.
 */
export function buildHttpRequest(
  definition: HttpToolDefinition,
  args: unknown,
  options: HttpRequestOptions = {},
): HttpRequest {
  return prepareRequest(definition, args, options).request
}

/** The same, with the origin for the transport. */
export function prepareRequest(
  definition: HttpToolDefinition,
  args: unknown,
  { allowedHosts, headerArgs, baseURL = globalThis.document?.baseURI }: HttpRequestOptions,
): PreparedRequest {
  const verb = definition.method ?? 'POST'
  if (!isVerb(verb)) {
    throw new ToolError(`invalid HTTP method '${verb}' for tool '${definition.name}'`)
  }
  const method = verb.toUpperCase()
  if (method === 'CONNECT') throw unsendable(method)
  const values = readArgs(definition.name, args)
  const target = fillURL(definition, values)
  const { headers, inHeaders } = fillHeaders(definition, values)
  const rest = [...values].filter(
    ([name]) => !target.used.has(name) && !(headerArgs && inHeaders.has(name)),
  )
  let body = null
  let { query } = target
  if (sendsQuery(method)) {
    const pairs = rest
      // What stands in the template was fixed by its author.
      .filter(([name]) => !target.fixed.has(name))
      .flatMap(([name, value]) =>
        valueTexts(value).map((text) => `${encode(name)}=${encode(text)}`),
      )
    query = [query, ...pairs].filter(Boolean).join('&')
  } else {
    body = JSON.stringify(Object.fromEntries(rest))
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
  }
  let url
  let allowedOrigin = ''
  try {
    url = new URL(target.text + (query && `?${query}`), baseURL)
    if (target.literal) allowedOrigin = new URL(target.literal, baseURL).origin
  } catch {
    // Without the cause, whose text holds the URL.
    throw requestError('the URL is not valid')
  }
  const { protocol, hostname, username, password } = url
  if (!/^https?:$/.test(protocol)) {
    throw requestError(`scheme '${protocol.slice(0, -1)}' is not allowed`)
  }
  // What counts is the host as it will be asked, whatever way it was written.
  if (url.origin !== allowedOrigin && !isAllowedHost(hostname, allowedHosts)) {
    throw requestError(`host '${hostname}' is not allowed`)
  }
  if (url.href.length > 8192) throw requestError('URL longer than 8 KiB')
  if (username || password) {
    url.username = url.password = ''
    const isOwn = Object.keys(definition.headers ?? {}).some(isAuthorization)
    if (!isOwn) headers.set('authorization', `Basic ${btoa(toBytes(`${username}:${password}`))}`)
  }
  return {
    request: { method, url: url.href, headers: Object.fromEntries(headers), body },
    allowedOrigin,
  }
}

const isAuthorization = (name: string) => /^authorization$/i.test(name)

/** Percent-encodes all but what RFC 3986 calls unreserved. */
const encode = (text: string) =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** The bytes that a percent-encoded text stands for, one a character. */
const toBytes = (text: string) =>
  text.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

/** Stands for a value that is missing; no filled template can hold it. */
const gap = '\0'

interface FilledURL {
  text: string
  /** Without the `?`. */
  query: string
  /** What that query holds, also of pairs that are left out. */
  fixed: URLSearchParams
  /** The template with letters for placeholders, `''` where the call chooses the origin. */
  literal: string
  /** The arguments it took. */
  used: Set<string>
}

function fillURL(definition: HttpToolDefinition, values: ReadonlyMap<string, unknown>): FilledURL {
  const { url } = definition
  const used = new Set<string>()
  const { inURL } = placeholderTest(definition, values)
  const at = readURLTemplate(url, inURL)
  const fill = (name: string, offset: number): string => {
    used.add(name)
    const refuse = (place: string) =>
      requestError(`argument '${name}' is not allowed in the URL ${place}`)
    const texts = valueTexts(values.get(name))
    const text = texts.join()
    const end = offset + name.length + 2
    if (offset < at.query ? !text : !texts.length) {
      // A pair whose whole value is missing is left out.
      if (/[?&][^?&=]*=$/.test(url.slice(at.query, offset)) && /^(&|#|$)/.test(url.slice(end))) {
        return gap
      }
      throw requestError(`missing argument '${name}'`)
    }
    if (!offset) {
      // Line breaks and tabs are taken out by the URL parser, and dots on both sides would meet.
      if (end < url.length && /[?#\t\n\r]|(\.|%2e){2}/i.test(text)) throw refuse('path')
      return text
    }
    if (offset < at.slashes || (offset >= at.host && offset < at.path)) {
      if (/[^a-z\d.-]/i.test(text)) throw refuse('host')
      if (offset > at.port && /\D/.test(text)) throw refuse('port')
    } else if (offset < at.query && /(^|[/\\])\.\.?($|[/\\])/.test(text)) throw refuse('path')
    return texts.map(encode).join()
  }
  // Split when it is filled: an argument that is the whole URL brings a query and a fragment of its own.
  const [, text = '', query = ''] =
    /^([^?#]*)\??([^#]*)/.exec(fillTemplate(url.slice(0, at.end), inURL, fill)) ?? []
  return {
    text,
    query: query
      .split('&')
      .filter((pair) => !pair.includes(gap))
      .join('&'),
    fixed: new URLSearchParams(query),
    literal: at.isOpen ? '' : at.masked,
    used,
  }
}

function fillHeaders(definition: HttpToolDefinition, values: ReadonlyMap<string, unknown>) {
  const { inHeader } = placeholderTest(definition, values)
  const headers = new Map<string, string>()
  const inHeaders = new Set<string>()
  for (const [name, template] of Object.entries(definition.headers ?? {})) {
    let isWhole = true
    const value = fillTemplate(template, inHeader, (arg) => {
      inHeaders.add(arg)
      const text = valueTexts(values.get(arg)).join()
      if (/[^\t -~]/.test(text)) {
        throw requestError(`argument '${arg}' has characters not allowed in a header`)
      }
      isWhole &&= !!text
      return text
    })
    const key = name.toLowerCase()
    headers.delete(key)
    if (isWhole) headers.set(key, value)
  }
  return { headers, inHeaders }
}
