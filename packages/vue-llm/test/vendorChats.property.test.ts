import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { describePlan, plans, type Plan } from '../src/vue/__tests__/chatPlan'
import { runPlan } from '../src/vue/__tests__/runPlan'
import { overWire, vendorWires } from './vendorWires'

const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve))

/** What a wire can say; the rest only our own can. */
const sayable = /^(text|think|call|streamed|start|same|wait|end|error|throw|hang|deaf)\b/
const isEnd = (item: string) => /^(end|error|throw)/.test(item)

/** A round as a vendor sends it: it ends once, and mostly well. */
function toVendorRound(items: readonly string[]): string[] {
  const round = items.filter((item) => sayable.test(item))
  const end = round.findIndex(isEnd)
  if (end >= 0) return round.slice(0, end + 1)
  return round.length % 4 === 3 ? round : [...round, 'end stop']
}

/** Any session with a vendor, who calls no tools of its own. */
const vendorPlans = plans.map((plan) => ({
  ...plan,
  setup: { ...plan.setup, remote: false },
  rounds: plan.rounds.map(toVendorRound),
}))

const names = Object.keys(vendorWires)
const numRuns = Math.ceil(propertyRuns(750) / names.length)

describe('whatever the person and the vendor do, a chat keeps its rules', () => {
  it.each(names)('over the wire of %s', { timeout: 60_000 + numRuns * 60 }, async (name) => {
    const wire = vendorWires[name]
    if (!wire) throw new Error(`no wire ${name}`)
    const check = async (plan: Plan): Promise<void> => {
      const { problems, log } = await runPlan(plan, nextTask, (provider, report) =>
        overWire(wire, provider, report),
      )
      if (problems.length) throw new Error([...problems, ...log].join('\n'))
    }
    const property = fc.asyncProperty(vendorPlans, check)
    const { counterexample, errorInstance, seed } = await fc.check(property, { numRuns })
    const [plan] = counterexample ?? []
    const what = errorInstance instanceof Error ? errorInstance.message : errorInstance
    expect(plan ? `${what}\n\n${describePlan(plan)}\n\nseed ${seed}` : '').toBe('')
  })
})
