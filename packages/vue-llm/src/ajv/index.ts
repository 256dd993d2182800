export { ajvValidator, type AjvValidatorOptions } from './ajvValidator'
export { precompiledValidator } from './precompiledValidator'
export type { CompiledSchema, SchemaProblem } from './problems'
