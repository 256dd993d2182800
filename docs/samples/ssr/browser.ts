import { createSSRApp } from 'vue'
import { Chat } from './Chat'

// The same messages as on the server: the browser takes over what is drawn already.
const stored = JSON.parse(document.querySelector('#stored')?.textContent ?? '[]')
createSSRApp(Chat(stored)).mount('#app')
