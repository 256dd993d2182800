export * from './core/index.ts'
export * from './providers/index.ts'
export * from './vue/index.ts'
