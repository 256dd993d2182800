import { defineTool } from 'vue-llm'

export const countRows = defineTool({
  name: 'count_rows',
  description: 'Count the rows of a table',
  parameters: { type: 'object', properties: { table: { type: 'string' } }, required: ['table'] },
  timeoutMs: 30_000,
  async execute({ table }, { progress, signal }) {
    for (let rows = 0; rows <= 100; rows += 25) {
      signal.throwIfAborted()
      // Shows up at once as `part.progress`.
      progress({ rows })
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return { table, rows: 100 }
  },
})
