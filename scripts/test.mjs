// Everything, or one stage: `npm test -- unit founders` gives the words after the stage's name to its tool.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { findChromium } from './chromium.mjs'
import { prepare } from './prepare.mjs'
import { fail, node, run, say } from './run.mjs'

const REPORT = resolve('.cache/test-report.json')

const stages = {
  check: {
    title: 'Format, lint and types',
    command: ['scripts/check.mjs'],
  },
  unit: {
    title: 'Server and web, on both databases',
    command: [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--reporter=verbose',
      '--reporter=json',
      `--outputFile=${REPORT}`,
    ],
    count: (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests }),
  },
  journeys: {
    title: 'Journeys in a browser',
    command: ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e', '--reporter=list,json'],
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
  },
}

const [only, ...rest] = process.argv.slice(2)
if (only && !(only in stages)) fail(`There is no stage "${only}": the stages are ${Object.keys(stages).join(', ')}.`)
const chosen = only ? [stages[only]] : Object.values(stages)

await prepare()
const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT }
if (chosen.includes(stages.journeys)) env.CHROMIUM_PATH = await findChromium()

const total = { passed: 0, failed: 0 }
for (const { title, command, count } of chosen) {
  say(`\n${title}`)
  mkdirSync('.cache', { recursive: true })
  rmSync(REPORT, { force: true })
  const code = await run([...node(), ...command, ...rest], { env })
  const { passed, failed } = (count && read(count)) ?? { passed: 0, failed: 0 }
  total.passed += passed
  // A stage can fail without any test failing: a file that does not compile, a database that does not start.
  total.failed += code ? Math.max(failed, 1) : failed
  process.exitCode = code
  if (code) break
}
say(`\n${total.passed} passed, ${total.failed} failed`)

function read(count) {
  try {
    return count(JSON.parse(readFileSync(REPORT, 'utf8')))
  } catch {
    return undefined
  }
}
