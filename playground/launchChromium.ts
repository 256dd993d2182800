import { chromium, type Browser } from 'playwright'
import { chromiumArgs } from '../scripts/chromium.ts'

export { chromiumPath } from '../scripts/chromium.ts'

/** Starts Chromium without anything that would reach for the network by itself. */
export const launchChromium = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: chromiumArgs })
