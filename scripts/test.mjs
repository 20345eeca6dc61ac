// Everything, or one stage: `npm test -- unit founders` gives the words after the stage's name to its tool.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { findChromium } from './chromium.mjs'
import { prepare } from './prepare.mjs'
import { fail, node, run, say } from './run.mjs'

const REPORT = resolve('.cache/test-report.json')

const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=verbose',
  '--reporter=json',
  `--outputFile=${REPORT}`,
]
const countVitest = (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests })

const stages = {
  check: {
    title: 'Format, lint and types',
    command: ['scripts/check.mjs'],
  },
  unit: {
    title: 'Server and web, on both databases',
    command: vitest,
    count: countVitest,
  },
  journeys: {
    title: 'Journeys in a browser',
    command: ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e', '--reporter=list,json'],
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
  },
}

/** Only when asked for: the same tests of durability, with many more rounds. */
const long = {
  title: 'Durability, many rounds',
  command: [...vitest, '--testTimeout=3600000', 'server/main.test.ts', 'server/db/embedded'],
  count: countVitest,
  env: { KILL_ROUNDS: '50', POWER_CUTS: '100' },
}

const [only, ...rest] = process.argv.slice(2)
const named = { ...stages, long }
if (only && !(only in named)) fail(`There is no stage "${only}": the stages are ${Object.keys(named).join(', ')}.`)
const chosen = only ? [named[only]] : Object.values(stages)

await prepare()
const environment = { PLAYWRIGHT_JSON_OUTPUT_FILE: REPORT }
if (chosen.includes(stages.journeys)) environment.CHROMIUM_PATH = await findChromium()

const total = { passed: 0, failed: 0 }
for (const { title, command, count, env } of chosen) {
  say(`\n${title}`)
  mkdirSync('.cache', { recursive: true })
  rmSync(REPORT, { force: true })
  const code = await run([...node(), ...command, ...rest], { env: { ...environment, ...env } })
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
