import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import projects from './vitest.workspace.ts'

export default defineConfig({
  // Vitest leaves one core free, which on two is half of the machine.
  test: { projects, maxWorkers: Math.max(2, availableParallelism() - 1) },
})
