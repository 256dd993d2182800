// @vitest-environment node
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '#test/propertyRuns'
import { describePlan, plans, type Plan } from './__tests__/chatPlan'
import { runPlan } from './__tests__/runPlan'

const nextTask = () => new Promise<void>((resolve) => setImmediate(resolve))

/** What a failure says: what is wrong, what happened, and how to see it again. */
function report(plan: Plan, error: unknown, seed: number): string {
  const what = error instanceof Error ? error.message : String(error)
  return [what, describePlan(plan), JSON.stringify(plan), `seed ${seed}`].join('\n\n')
}

async function check(plan: Plan): Promise<void> {
  const { problems, log } = await runPlan(plan, nextTask)
  if (problems.length) throw new Error([...problems, ...log].join('\n'))
}

const numRuns = propertyRuns(2000)

test(
  'whatever the person does and whatever the provider does, a chat keeps its rules',
  { timeout: 60_000 + numRuns * 30 },
  async () => {
    const { counterexample, errorInstance, seed } = await fc.check(fc.asyncProperty(plans, check), {
      numRuns,
    })
    const [plan] = counterexample ?? []
    expect(plan ? report(plan, errorInstance, seed) : '').toBe('')
  },
)
