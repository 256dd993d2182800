// @ts-check
// Express with the login, the chat, and Vite for the page: one process, one port.
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { toNodeHandler } from 'vue-llm/server'
import { handleChat } from './chat.js'
import { isDemo } from './model.js'
import { login, logout, userOf } from './sessions.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const app = express()
const server = createServer(app)

app.get('/api/me', (request, response) => {
  response.json({ user: userOf(request.headers.cookie) ?? null })
})
app.post('/api/login', express.json(), login)
app.post('/api/logout', logout)
// Without express.json(): a chat may be longer than its limit, and the handler has one of its own.
app.post('/api/chat', toNodeHandler(handleChat))

if (process.env['NODE_ENV'] === 'production') {
  app.use(express.static(`${root}dist`))
} else {
  const { createServer: createVite } = await import('vite')
  const vite = await createVite({ root, server: { middlewareMode: true, hmr: { server } } })
  app.use(vite.middlewares)
}

server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : address
  console.log(`http://127.0.0.1:${port} (${isDemo ? 'demo model' : 'model of OPENAI_BASE_URL'})`)
})
