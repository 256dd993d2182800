import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { aliases } from '../vite.aliases.ts'
import { chatServer } from './chatServer.ts'
import { demoServer } from './demoServer.ts'
import { faultServer } from './faultServer.ts'
import { itemsServer } from './itemsServer.ts'
import { socketServer } from './socketServer.ts'
import { wiresServer } from './wiresServer.ts'

const model = { delayMs: Number(process.env['DEMO_DELAY_MS'] ?? 20) }

export default defineConfig({
  // A built page is put anywhere, and has no server: see `src/pageFetch.ts`.
  base: './',
  plugins: [
    vue(),
    demoServer(model),
    chatServer(model),
    faultServer(model),
    itemsServer(),
    socketServer(model),
    wiresServer(model),
  ],
  resolve: { alias: aliases },
  // Named, so that the first visit needs no reload once Vite has found them.
  optimizeDeps: {
    include: [
      'vue',
      'marked',
      'dompurify',
      '@tanstack/vue-virtual',
      'vue-llm > ajv',
      'vue-llm > ajv/dist/2020.js',
    ],
  },
})
