import { withBase, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import Architecture from './Architecture.vue'
import Layout from './Layout.vue'
import Live from './Live.vue'
// oxlint-disable-next-line import/no-unassigned-import -- styles
import './style.css'

const theme: Theme = {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ app, router }) {
    app.component('Live', Live)
    app.component('Architecture', Architecture)
    // The reference is in English only, but the menu of languages leads from there to its like in Russian.
    router.onBeforeRouteChange = async (to) => {
      if (!to.startsWith(withBase('/ru/reference/'))) return true
      await router.go(withBase('/ru/'))
      return false
    }
  },
}

export default theme
