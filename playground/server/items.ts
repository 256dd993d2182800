import { toNodeHandler, type NodeHandler } from 'vue-llm/server'

/** What the service keeps. */
export interface Item {
  id: string
  name: string
  qty: number
}

/** A playground is no warehouse. */
const maxItems = 100
const maxBodyChars = 10_000

const refuse = (status: number, error: string) => Response.json({ error }, { status })

/** The fields of a posted item; what has a wrong type is told. */
async function readFields(request: Request): Promise<Partial<Omit<Item, 'id'>> | Response> {
  const text = await request.text()
  if (text.length > maxBodyChars) return refuse(413, 'too long')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return refuse(400, 'the body is no JSON')
  }
  const { name, qty } = Object(body) as Record<string, unknown>
  if (name !== undefined && typeof name !== 'string') return refuse(422, 'name must be a text')
  if (qty !== undefined && !Number.isInteger(qty)) return refuse(422, 'qty must be a whole number')
  return { ...(name !== undefined && { name }), ...(qty !== undefined && { qty: Number(qty) }) }
}

/**
 * A REST service over a list in memory, as guide §4 has it: GET, POST on the list, and GET, HEAD, PATCH, PUT and DELETE
 * on one item.
 */
export function createItemsService(): (request: Request) => Promise<Response> {
  const items = new Map<string, Item>(
    ['Desk lamp', 'Bookshelf', 'Moth trap', 'Tea cups'].map((name, index) => {
      const id = String(index + 1)
      return [id, { id, name, qty: (index + 1) * 3 }]
    }),
  )
  let count = items.size

  async function onList(request: Request, { searchParams }: URL): Promise<Response> {
    if (request.method === 'GET') {
      const search = searchParams.get('search')?.toLowerCase() ?? ''
      const limit = searchParams.has('limit') ? Number(searchParams.get('limit')) : maxItems
      if (!Number.isInteger(limit) || limit < 0) return refuse(400, 'limit must be a whole number')
      const found = [...items.values()].filter(({ name }) => name.toLowerCase().includes(search))
      return Response.json(found.slice(0, limit))
    }
    if (request.method !== 'POST') return refuse(405, 'only GET and POST')
    const fields = await readFields(request)
    if (fields instanceof Response) return fields
    if (!fields.name) return refuse(422, 'name is missing')
    if (items.size >= maxItems) return refuse(409, `there are ${maxItems} items already`)
    const item: Item = { id: String(++count), name: fields.name, qty: fields.qty ?? 1 }
    items.set(item.id, item)
    return Response.json(item, { status: 201 })
  }

  async function onItem(request: Request, id: string): Promise<Response> {
    const item = items.get(id)
    if (!item) return refuse(404, `there is no item ${id}`)
    switch (request.method) {
      case 'GET':
        return Response.json(item)
      case 'HEAD':
        return new Response(null)
      case 'DELETE':
        items.delete(id)
        return new Response(null, { status: 204 })
      case 'PATCH':
      case 'PUT': {
        const fields = await readFields(request)
        if (fields instanceof Response) return fields
        const isWhole = request.method === 'PUT'
        if (isWhole && !fields.name) return refuse(422, 'name is missing')
        const changed = { ...(isWhole ? { id, name: '', qty: 1 } : item), ...fields }
        items.set(id, changed)
        return Response.json(changed)
      }
      default:
        return refuse(405, 'only GET, HEAD, PATCH, PUT and DELETE')
    }
  }

  return async (request) => {
    const url = new URL(request.url)
    const [, id] = /\/items\/([^/]+)$/.exec(url.pathname) ?? []
    return id === undefined ? onList(request, url) : onItem(request, decodeURIComponent(id))
  }
}

/** The same for Node's servers. */
export const createItemsHandler = (): NodeHandler => toNodeHandler(createItemsService())
