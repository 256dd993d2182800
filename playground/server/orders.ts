import { defineTool } from 'vue-llm/core'

/** An order, as `search_orders` gives it. */
export interface Order {
  id: string
  customer: string
  item: string
  status: 'open' | 'shipped' | 'delivered'
  /** In euros. */
  total: number
}

/** Stands in for a database that a page can't reach. */
const database: readonly Order[] = [
  { id: 'A-1001', customer: 'Ada', item: 'Desk lamp', status: 'shipped', total: 49 },
  { id: 'A-1002', customer: 'Ada', item: 'Bookshelf', status: 'open', total: 129 },
  { id: 'G-2001', customer: 'Grace', item: 'Moth trap', status: 'delivered', total: 15 },
  { id: 'L-3001', customer: 'Linus', item: 'Penguin slippers', status: 'open', total: 24 },
]

/** Runs on the server: its calls reach the page with their results. */
export const searchOrders = defineTool({
  name: 'search_orders',
  description: 'Searches the orders of a customer in the database of the shop.',
  parameters: {
    type: 'object',
    properties: { customer: { type: 'string', description: 'First name of the customer' } },
    required: ['customer'],
  },
  async execute({ customer }, { signal, progress }): Promise<Order[]> {
    progress({ label: 'Asking the database', percent: 40 })
    await new Promise((resolve) => setTimeout(resolve, 400))
    signal.throwIfAborted()
    const wanted = customer.toLowerCase()
    return database.filter((order) => order.customer.toLowerCase() === wanted)
  },
})
