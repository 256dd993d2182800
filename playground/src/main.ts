import { createApp } from 'vue'
import App from './App.vue'
import './styles/tokens.css'
import './styles/base.css'
import './styles/chat.css'
import './styles/parts.css'
import './styles/dialog.css'

createApp(App).mount('#app')
