import { createApp } from 'vue'
import App from './App.vue'
import { DemoFailure } from './generative/demoFailure'

const app = createApp(App)
// What a card throws on purpose is no news; anything else is as loud as without a handler.
app.config.errorHandler = (error) => {
  if (!(error instanceof DemoFailure)) reportError(error)
}
app.mount('#app')
