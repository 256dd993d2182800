import { defineTool } from 'vue-llm'

/** Runs in the page: no server can do this. */
export const setTheme = defineTool({
  name: 'set_theme',
  description: 'Switches the page to the light or the dark theme.',
  parameters: {
    type: 'object',
    properties: { theme: { type: 'string', enum: ['light', 'dark'] } },
    required: ['theme'],
  },
  execute({ theme }) {
    document.documentElement.style.colorScheme = theme
    return { theme }
  },
})
