import { defineTool } from 'vue-llm'

// #region source
/** Small sums are paid at once; for larger ones a person is asked, who may change them. */
export const refund = defineTool({
  name: 'refund',
  description: 'Pays money back to a customer.',
  parameters: {
    type: 'object',
    properties: {
      customer: { type: 'string', description: 'First name of the customer' },
      amount: { type: 'number', description: 'In euros' },
    },
    required: ['customer', 'amount'],
  },
  needsApproval: ({ amount }) => amount > 50,
  execute: ({ customer, amount }) => ({ paid: amount, to: customer }),
})

/** Has no `execute`: a person's answer is its result. */
export const askDay = defineTool({
  name: 'ask_day',
  description: 'Asks the user which day suits them.',
  parameters: {
    type: 'object',
    properties: { occasion: { type: 'string', description: 'What the day is for' } },
    required: ['occasion'],
  },
})
// #endregion

/** What the model may call on this page. */
export const approvalTools = [refund, askDay] as const
