// Runs all stages or one: `npm test -- unit founders` passes the words after the stage's name to its tool.
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { findChromium } from './chromium.mjs'
import { prepare } from './prepare.mjs'
import { fail, node, run, say } from './run.mjs'

const reportOf = (tool) => resolve(`.cache/${tool}-report.json`)

const vitest = [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=verbose',
  '--reporter=json',
  `--outputFile=${reportOf('vitest')}`,
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
    report: reportOf('vitest'),
    count: countVitest,
  },
  journeys: {
    title: 'Journeys in a browser',
    command: ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e', '--reporter=list,json'],
    report: reportOf('playwright'),
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected, flaky: stats.flaky }),
  },
}

/**
 * Runs only on request: the suites of `reliability/`, one after the other in this order, each with its full number of
 * rounds. `npm run test:long -- kill disk` runs some of them; `ROUNDS=5` and the like (reliability/sizes.ts) shorten
 * them.
 */
const LONG = [
  'stop',
  'disk',
  'database-trouble',
  'database-exhausted',
  'rolling-restart',
  'kill',
  'power-cut',
  'odd-places',
  'hostile-files',
  'measured',
  'endurance',
]
/** Long tests and measurements are next to the code that they test. */
const MEASURED = ['server/http/slow-clients.test.ts', 'server/merge/model.test.ts', '.long.test.ts']
const long = (suite) => ({
  title: `At length: ${suite}`,
  command: [
    ...vitest,
    '--testTimeout=3600000',
    ...(suite === 'measured' ? MEASURED : [`reliability/${suite}.test.ts`]),
  ],
  report: reportOf('vitest'),
  count: countVitest,
  env: { LONG: '1', SLOW_CLIENTS: '500' },
})

const [stage, ...words] = process.argv.slice(2)
/** The named suites, up to the first option of the tool. */
const suites = words.slice(
  0,
  Math.max(
    0,
    [...words, '-'].findIndex((word) => word.startsWith('-')),
  ),
)
const options = stage === 'long' ? words.slice(suites.length) : words
const chosen = choose()

/** Groups of stages, one group after the other. Browsers mostly wait, so journeys run beside the other tests. */
function choose() {
  if (stage === undefined) return [[stages.check], [stages.unit, stages.journeys]]
  if (stage in stages) return [[stages[stage]]]
  if (stage !== 'long') fail(`There is no stage "${stage}": the stages are ${Object.keys(stages).join(', ')}, long.`)
  const unknown = suites.find((name) => !LONG.includes(name))
  if (unknown) fail(`There is no suite "${unknown}": the suites are ${LONG.join(', ')}.`)
  return LONG.filter((name) => suites.length === 0 || suites.includes(name)).map((name) => [long(name)])
}

await prepare()
mkdirSync('.cache', { recursive: true })
const environment = { PLAYWRIGHT_JSON_OUTPUT_FILE: stages.journeys.report }
if (chosen.flat().includes(stages.journeys)) environment.CHROMIUM_PATH = await findChromium()

const total = { passed: 0, failed: 0 }
for (const group of chosen) {
  say(`\n${group.map(({ title }) => title).join('; beside that: ')}`)
  const codes = await Promise.all(group.map((stage, index) => runStage(stage, index > 0)))
  process.exitCode = codes.find((code) => code !== 0) ?? 0
  if (process.exitCode) break
}
say(`\n${total.passed} passed, ${total.failed} failed`)

/** Runs a stage. A quiet one prints its output at its end, and only if it failed. */
async function runStage({ title, command, report, count, env }, quiet) {
  if (report) rmSync(report, { force: true })
  const code = await run([...node(), ...command, ...options], { quiet, env: { ...environment, ...env } })
  const { passed, failed, flaky = 0 } = (report && read(report, count)) ?? { passed: 0, failed: 0 }
  if (quiet) say(`\n${title}: ${passed} passed, ${flaky} of them at the second attempt, ${failed} failed\n`)
  total.passed += passed
  // A stage can fail without any test failing: a file that does not compile, a database that does not start.
  total.failed += code ? Math.max(failed, 1) : failed
  return code
}

function read(report, count) {
  try {
    return count(JSON.parse(readFileSync(report, 'utf8')))
  } catch {
    return undefined
  }
}
