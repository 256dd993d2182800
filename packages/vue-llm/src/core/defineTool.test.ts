import { describe, expect, it } from 'vitest'
import { defineTool } from './defineTool'

describe('defineTool', () => {
  it('only adds types: what comes back is the object that was given', () => {
    const tool = { name: 'get_weather', execute: () => 20 }
    const frozen = Object.freeze({ name: 'frozen' })
    expect(defineTool(tool)).toBe(tool)
    expect(defineTool<{ city: string }, number>(tool)).toBe(tool)
    expect(defineTool(frozen)).toBe(frozen)
    expect(Object.keys(tool)).toEqual(['name', 'execute'])
  })
})
