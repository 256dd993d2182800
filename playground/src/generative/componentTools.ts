import { defineToolComponent } from 'vue-llm'
import ChartCard from './ChartCard.vue'
import SeatPicker from './SeatPicker.vue'

/** A component that is a tool: shown, and done at once. */
export const showChart = defineToolComponent({
  name: 'show_chart',
  description: 'Draws a bar chart for the user.',
  parameters: {
    type: 'object',
    properties: {
      title: { type: 'string', default: 'In numbers' },
      points: {
        type: 'array',
        items: {
          type: 'object',
          properties: { label: { type: 'string' }, value: { type: 'number' } },
          required: ['label', 'value'],
        },
      },
    },
    required: ['title', 'points'],
  },
  component: ChartCard,
})

/** A component that is a tool, open until a person has chosen. */
export const pickSeat = defineToolComponent({
  name: 'pick_seat',
  description: 'Lets the user pick a seat in the train.',
  parameters: {
    type: 'object',
    properties: { rows: { type: 'integer', minimum: 1, maximum: 6, default: 4 } },
    required: ['rows'],
  },
  component: SeatPicker,
})
