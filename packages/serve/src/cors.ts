/** Answers preflights and marks answers for pages of the origins named; nothing for any other. */
export function withCors(
  origins: readonly string[],
  handle: (request: Request) => Promise<Response>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const origin = request.headers.get('origin')
    if (origin === null || !origins.includes(origin)) return handle(request)
    const isPreflight =
      request.method === 'OPTIONS' && request.headers.has('access-control-request-method')
    const answer = isPreflight ? new Response(null, { status: 204 }) : await handle(request)
    const headers = new Headers(answer.headers)
    headers.set('access-control-allow-origin', origin)
    headers.append('vary', 'origin')
    if (isPreflight) {
      headers.set('access-control-allow-methods', 'GET, POST')
      headers.set('access-control-allow-headers', 'authorization, content-type')
      headers.set('access-control-max-age', '600')
    }
    const { status, statusText } = answer
    return new Response(answer.body, { status, statusText, headers })
  }
}
