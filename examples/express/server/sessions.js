// @ts-check
// Who is logged in. Stands in for the login that your app has already.
import { randomUUID } from 'node:crypto'

/** In a real app: a user table, with hashed passwords. @type {Map<string, string>} */
const passwords = new Map([
  ['ada', 'engine'],
  ['grace', 'compiler'],
])

/** User names by session id. @type {Map<string, string>} */
const sessions = new Map()

/** @param {string | null | undefined} cookies the `cookie` header of a request */
const sessionOf = (cookies) => /(?:^|;\s*)session=([\w-]+)/.exec(cookies ?? '')?.[1] ?? ''

/** @param {string | null | undefined} cookies the `cookie` header of a request */
export const userOf = (cookies) => sessions.get(sessionOf(cookies))

/**
 * @param {import('express').Request} request
 * @param {import('express').Response} response
 */
export function login(request, response) {
  const { user, password } = request.body ?? {}
  if (typeof password !== 'string' || passwords.get(user) !== password) {
    response
      .status(401)
      .json({ error: { code: 'unauthorized', message: 'wrong name or password' } })
    return
  }
  const id = randomUUID()
  sessions.set(id, user)
  // `strict`: another site can't make this browser ask in the user's name.
  response.cookie('session', id, { httpOnly: true, sameSite: 'strict' }).json({ user })
}

/**
 * @param {import('express').Request} request
 * @param {import('express').Response} response
 */
export function logout(request, response) {
  sessions.delete(sessionOf(request.headers.cookie))
  response.clearCookie('session').json({ user: null })
}
