import type { Plugin } from 'vite'

/** What {@link echoServer} saw of a request. */
export interface EchoedRequest {
  method: string
  url: string
  headers: Record<string, string>
  body: string
}

/**
 * Lets a page of the browser tests see what it sent: `/__echo…` answers with the request as JSON, `/__moved?to=…`
 * redirects, `/__endless` never stops.
 */
export const echoServer = (): Plugin => ({
  name: 'vue-llm-echo-server',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, response, next) => {
      const { method = '', url = '', headers } = request
      if (url.startsWith('/__moved')) {
        const to = new URL(url, 'http://localhost').searchParams.get('to') ?? ''
        response.writeHead(302, { location: to }).end()
      } else if (url.startsWith('/__endless')) {
        const timer = setInterval(() => response.write('x'.repeat(1000)), 1)
        response.on('close', () => clearInterval(timer))
      } else if (url.startsWith('/__echo')) {
        let body = ''
        request.setEncoding('utf8').on('data', (text: string) => (body += text))
        request.on('end', () => {
          response.setHeader('content-type', 'application/json')
          response.end(
            JSON.stringify({ method, url, headers, body } satisfies {
              [K in keyof EchoedRequest]: unknown
            }),
          )
        })
      } else next()
    })
  },
})
