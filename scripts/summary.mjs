// Prints vitest's own counts as one line, from the file that its JSON reporter wrote:
// node scripts/summary.mjs results.json
import { readFileSync } from 'node:fs'

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const results = read(process.argv[2])
if (results === undefined) {
  console.error('The test run wrote no results.')
  console.log('0 passed, 1 failed')
  process.exit(1)
}

// A file that could not be loaded, or an error outside every test, has no failed test to count.
const brokenFiles = results.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
)
for (const { name } of brokenFiles) console.error(`Failed as a whole: ${name}`)
const counted = results.numFailedTests + brokenFiles.length
const failed = counted === 0 && !results.success ? 1 : counted
console.log(`${results.numPassedTests} passed, ${failed} failed`)
if (failed > 0) process.exitCode = 1
