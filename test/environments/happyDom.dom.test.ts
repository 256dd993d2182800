import { createServer } from 'node:http'
import { expect, test } from 'vitest'

test('there is a document', () => {
  document.body.innerHTML = '<p>hello</p>'
  expect(document.querySelector('p')?.textContent).toBe('hello')
})

test('an abort reaches a real server and ends the read', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: first\n\n')
  })
  const serverSawAbort = new Promise<void>((resolve) => {
    server.on('request', (_request, response) => response.on('close', resolve))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const abort = new AbortController()
    const url = new URL(`http://127.0.0.1:${address.port}/`)
    const response = await fetch(url, { signal: abort.signal })
    const reader = response.body?.getReader()
    const first = await reader?.read()
    expect(new TextDecoder().decode(first?.value)).toBe('data: first\n\n')
    abort.abort()
    await expect(reader?.read()).rejects.toThrow(DOMException)
    await serverSawAbort
  } finally {
    server.close()
  }
})
