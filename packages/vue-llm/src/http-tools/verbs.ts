import { requestError } from './credentials'

/** Whether the rest of the arguments goes into the query, without a body (guide §3). */
export const sendsQuery = (method: string): boolean =>
  /^(GET|HEAD|OPTIONS|TRACE|DELETE)$/i.test(method)

/** Whether a text is a method by RFC 9110 §9.1. */
export const isVerb = (verb: string): boolean => /^[\w!#$%&'*+.^`|~-]+$/.test(verb)

/** The error of a method that can't be sent at all, or not from here. */
export const unsendable = (method: string): Error =>
  requestError(`HTTP method '${method}' cannot be sent from this runtime`)
