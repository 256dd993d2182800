import vue from '@vitejs/plugin-vue'
import { defineConfig } from 'vite'
import { aliases } from '../../../vite.aliases.ts'

export default defineConfig({
  plugins: [vue()],
  resolve: { alias: aliases, dedupe: ['vue'] },
  logLevel: 'warn',
})
