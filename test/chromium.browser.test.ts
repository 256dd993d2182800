import { expect, test } from 'vitest'

test('the page runs in a real Chromium, which draws frames', async () => {
  expect(navigator.userAgent).toContain('Chrome/')
  const time = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
  expect(time).toBeGreaterThan(0)
})
