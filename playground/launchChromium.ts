import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright'

/** Where Chromium is on this machine, if there is one: `$CHROMIUM`, or Debian's place. */
export const chromiumPath = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
)

/** Starts Chromium without anything that would reach for the network by itself. */
export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}
