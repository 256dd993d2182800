import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import Architecture from './Architecture.vue'
import Live from './Live.vue'
// oxlint-disable-next-line import/no-unassigned-import -- styles
import './style.css'

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('Live', Live)
    app.component('Architecture', Architecture)
  },
}

export default theme
