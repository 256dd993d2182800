import { defineTool, type ToolCallPartOf } from 'vue-llm'
import { getWeather } from '../tools'
import { pickSeat, showChart } from './componentTools'

// #region source
/** A form asks first, and may change the arguments. */
export const bookTable = defineTool({
  name: 'book_table',
  description: 'Books a table in a restaurant. The user checks the details first.',
  parameters: {
    type: 'object',
    properties: {
      guests: { type: 'integer', minimum: 1, maximum: 12 },
      time: { type: 'string', description: 'Such as 19:30' },
      note: { type: 'string', description: 'A wish of the guests' },
    },
    required: ['guests', 'time'],
  },
  needsApproval: true,
  execute: ({ guests, time }) => ({ booked: true, guests, time, table: 1 + (guests % 9) }),
})

// #endregion

/** What `find_products` finds. */
export interface Product {
  name: string
  price: number
  color: string
}

const products: readonly Product[] = [
  { name: 'Desk lamp', price: 49, color: '#c98a2b' },
  { name: 'Reading chair', price: 229, color: '#6b7f5c' },
  { name: 'Bookshelf', price: 129, color: '#8a5a44' },
  { name: 'Wool rug', price: 89, color: '#4f6d8f' },
  { name: 'Side table', price: 74, color: '#7a6a94' },
]

/** Its result becomes a carousel. */
const findProducts = defineTool({
  name: 'find_products',
  description: 'Finds products of the furniture shop and shows them to the user.',
  parameters: { type: 'object', properties: { limit: { type: 'integer' } } },
  execute: () => ({ products }),
})

/** Its card throws when the result is there. */
const brokenCard = defineTool({
  name: 'broken_card',
  description: 'Draws a broken card, to show that the chat goes on beside it.',
  parameters: { type: 'object', properties: {} },
  execute: () => ({ done: true }),
})

/** What the model may call on this page. */
export const uiTools = [
  getWeather,
  bookTable,
  findProducts,
  brokenCard,
  showChart,
  pickSeat,
] as const

/** A call of one of them. */
export type UiCall<Name extends (typeof uiTools)[number]['name']> = Extract<
  ToolCallPartOf<typeof uiTools>,
  { toolName: Name }
>
