import type { HttpRequest, HttpTransport } from 'vue-llm/http-tools'

interface Item {
  id: string
  name: string
  qty: number
}

/** The services that `tools.example.json` speaks of, by host. */
type Service = (request: HttpRequest, url: URL) => Response

const json = (value: unknown, status = 200): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'content-type': 'application/json' },
  })

const nothing = (status: number): Response => new Response(null, { status })

/** Weather that depends on the city's name alone. */
const weather: Service = (_request, { pathname }) => {
  const city = decodeURIComponent(pathname.slice(1))
  const degrees = [...city].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % 25
  return new Response(`${city}: ⛅️ +${degrees}°C\n`, { headers: { 'content-type': 'text/plain' } })
}

/** Says back what it was sent. */
const echo: Service = ({ headers, body }, { href }) =>
  json({ url: href, headers, json: JSON.parse(body ?? 'null') })

function createNotes(): Service {
  let count = 0
  return ({ headers }) =>
    headers.authorization ? json({ id: ++count }, 201) : json({ error: 'no token' }, 401)
}

function createItems(): Service {
  const items = new Map<string, Item>()
  let count = 0
  const put = (id: string, given: Partial<Item>): Item => {
    const item = { name: '', qty: 1, ...given, id }
    items.set(id, item)
    return item
  }
  for (const name of ['Notebook', 'Pencil', 'Desk lamp', 'Ink'])
    put(`${++count}`, { name, qty: 10 })
  return ({ method, body }, { pathname, searchParams }) => {
    const id = pathname.split('/')[3]
    const given: Partial<Item> = body === null ? {} : JSON.parse(body)
    if (id === undefined) {
      if (method === 'POST') return json(put(`${++count}`, given), 201)
      const search = (searchParams.get('search') ?? '').toLowerCase()
      const limit = Number(searchParams.get('limit') ?? Infinity)
      const found = [...items.values()].filter(({ name }) => name.toLowerCase().includes(search))
      return json(found.slice(0, limit))
    }
    const item = items.get(id)
    if (method === 'PUT') return json(put(id, given), item ? 200 : 201)
    if (!item) return method === 'HEAD' ? nothing(404) : json({ error: `no item ${id}` }, 404)
    if (method === 'DELETE') return nothing(items.delete(id) ? 204 : 404)
    if (method === 'PATCH') return json(put(id, { ...item, ...given }))
    return method === 'HEAD' ? nothing(200) : json(item)
  }
}

/** A transport that answers the hosts of `tools.example.json` in the process; the rest goes to `next`. */
export function createDemoTransport(next: HttpTransport): HttpTransport {
  const services = new Map<string, Service>([
    ['wttr.in', weather],
    ['httpbin.org', echo],
    ['internal.example.local', createNotes()],
    ['api.example.local', createItems()],
  ])
  return async (request, options) => {
    const url = new URL(request.url)
    const service = services.get(url.hostname)
    return service ? service(request, url) : next(request, options)
  }
}
