import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { aliases } from '../vite.aliases.ts'
import { chatServer } from './chatServer.ts'
import { demoServer } from './demoServer.ts'

const model = { delayMs: Number(process.env['DEMO_DELAY_MS'] ?? 20) }

export default defineConfig({
  plugins: [vue(), demoServer(model), chatServer(model)],
  resolve: { alias: aliases },
  // Named, so that the first visit needs no reload once Vite has found them.
  optimizeDeps: { include: ['vue', 'marked', 'dompurify'] },
})
