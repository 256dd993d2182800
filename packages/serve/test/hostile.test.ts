import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSocket, startServe } from './startServe'

const handshake = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
]

/** Writes a request as it is, and keeps its own end open whatever the server does. */
function sendRaw(url: string, lines: readonly string[], body = ''): Socket {
  const socket = connect({
    port: Number(new URL(url).port),
    host: '127.0.0.1',
    allowHalfOpen: true,
  })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

async function firstLine(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer]
  return data.toString().split('\r\n')[0] ?? ''
}

describe('clients that mean no good', () => {
  it('SIGTERM is not held up by a refused WebSocket whose client stays', async () => {
    const { url, stop } = await startServe()
    const socket = sendRaw(url, ['GET /nope HTTP/1.1', 'Host: localhost', ...handshake])
    expect(await firstLine(socket)).toBe('HTTP/1.1 404 Not Found')
    await stop()
  })

  it('one that sends bad frames and never reads is not read on', async () => {
    const { url } = await startServe()
    const socket = sendRaw(url, ['GET /ws HTTP/1.1', 'Host: localhost', ...handshake])
    expect(await firstLine(socket)).toContain('101')
    socket.pause()
    // A text frame of one letter; each is answered with an error of about 100 bytes.
    const frame = [0x81, 0x81, 0, 0, 0, 0, 0x78]
    const many = Buffer.from(Array.from({ length: 10_000 }, () => frame).flat())
    const sent = 400 * many.length
    for (let count = 0; count < 400; count++) socket.write(many)
    let left = -1
    const rests = () => left === (left = socket.writableLength)
    await expect.poll(rests, { timeout: 10_000, interval: 500 }).toBe(true)
    // What the kernel holds is taken from it, and little more.
    expect(socket.writableLength).toBeGreaterThan(sent / 4)
    const other = await openSocket(url)
    other.say('hello')
    await other.turns(1)
  })

  it.each([
    ['two lengths', ['Content-Length: 2', 'Content-Length: 3']],
    ['a length and chunks', ['Content-Length: 2', 'Transfer-Encoding: chunked']],
    ['two hosts', ['Host: evil.example']],
  ])('a request with %s is no request', async (what, headers) => {
    const { url } = await startServe()
    const lines = ['POST /api/tools HTTP/1.1', 'Host: localhost', ...headers]
    const line = await firstLine(sendRaw(url, lines, 'x'))
    expect(line).toMatch(what === 'two hosts' ? /^HTTP\/1.1 4/ : /^HTTP\/1.1 400/)
  })

  it.each([
    ['GET', ''],
    ['POST', '[{"name":"a","description":"b","url":"http://localhost/"}]'],
  ])('%s that offers HTTP/2 is answered in HTTP/1.1', async (method, body) => {
    const { url } = await startServe()
    const lines = [
      `${method} /api/tools HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
    ]
    // The body comes later, as it does over a slow line.
    const socket = sendRaw(url, lines)
    setTimeout(() => socket.write(body), 50)
    expect(await firstLine(socket)).toBe('HTTP/1.1 200 OK')
  })
})

describe('paths and methods', () => {
  it.each([
    ['GET', '//api/tools', 404],
    ['GET', '/api/tools/', 404],
    ['GET', '/api/%74ools', 404],
    ['GET', 'http://evil.example/api/tools', 200],
    ['HEAD', '/health', 200],
    ['DELETE', '/health', 405],
    ['POST', '/docs', 405],
    ['POST', '/', 405],
    ['TRACE', '/health', 405],
    ['PUT', '/api/tools', 405],
    ['GET', '/api/chat', 405],
    ['OPTIONS', '/api/chat', 405],
    ['GET', '/ws', 426],
  ])('%s %s: %i', async (method, path, status) => {
    const { url } = await startServe()
    const socket = sendRaw(url, [`${method} ${path} HTTP/1.1`, 'Host: localhost'])
    expect(await firstLine(socket)).toContain(` ${status} `)
  })
})
