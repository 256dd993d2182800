// @ts-check
// Tools that must run here: the page never sees the database, only what these return.
import { ToolError, defineTool } from 'vue-llm/core'

/** Stands in for the database. */
const orders = [
  { id: 'A-1001', customer: 'ada', item: 'desk lamp', status: 'shipped' },
  { id: 'A-1002', customer: 'ada', item: 'bookshelf', status: 'open' },
  { id: 'G-2001', customer: 'grace', item: 'moth trap', status: 'open' },
]

/**
 * The user is known by the session and not by the arguments: a model may be talked into any argument.
 * @param {unknown} context what `authorize` returned
 */
const ordersOf = (context) => {
  const { user } = /** @type {{ user: string }} */ (context)
  return orders.filter(({ customer }) => customer === user)
}

export const findOrders = defineTool({
  name: 'find_orders',
  description: "Finds the user's orders, with what was ordered and the status of each.",
  parameters: { type: 'object', properties: {} },
  execute: (_args, { context }) =>
    ordersOf(context).map(({ id, item, status }) => ({ id, item, status })),
})

export const cancelOrder = defineTool({
  name: 'cancel_order',
  description: 'Cancels an open order of the user. The user is asked first.',
  parameters: {
    type: 'object',
    properties: { orderId: { type: 'string', description: 'For example A-1001' } },
    required: ['orderId'],
  },
  needsApproval: true,
  execute({ orderId }, { context }) {
    const order = ordersOf(context).find(({ id }) => id === orderId)
    // A ToolError is written to be read, by the model and by the user. Of any other error the page learns nothing.
    if (!order) throw new ToolError(`there is no order ${orderId}`)
    if (order.status !== 'open') throw new ToolError(`order ${orderId} is ${order.status} already`)
    order.status = 'cancelled'
    return { orderId, status: order.status }
  },
})
