import { existsSync } from 'node:fs'

/** Where Chromium is on this machine, if there is one: `$CHROMIUM`, or Debian's place. */
export const chromiumPath = [process.env['CHROMIUM'], '/usr/bin/chromium'].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
)

/** Without anything that would reach for the network by itself. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
