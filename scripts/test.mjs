// Runs all stages without their tests that are tagged as slow, or one stage with them: `npm test -- unit founders` passes
// the words after the stage's name to its tool. `npm test -- all` runs everything, as CI does.
// `npm test -- --slowest` runs nothing: it shows where the time of the last run went.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { prepare } from './prepare.mjs'
import { fail, node, run, say } from './run.mjs'
import { printSlowest, REPORTS } from './slowest.mjs'

const reportOf = (name) => join(REPORTS, `${name}.json`)

const vitest = (report) => [
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=verbose',
  '--reporter=json',
  `--outputFile=${reportOf(report)}`,
]
const countVitest = (report) => ({ passed: report.numPassedTests, failed: report.numFailedTests })

const stages = {
  check: {
    title: 'Format, lint and types',
    command: ['scripts/check.mjs'],
  },
  unit: {
    title: 'Server and web',
    command: vitest('unit'),
    withoutSlow: ['--tags-filter=!slow'],
    report: 'unit',
    count: countVitest,
  },
  journeys: {
    title: 'Journeys in a browser',
    command: ['node_modules/@playwright/test/cli.js', 'test', '--config=e2e', '--reporter=list,json'],
    withoutSlow: ['--grep-invert=@slow'],
    report: 'journeys',
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportOf('journeys') },
    count: ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }),
  },
}

/**
 * Runs only on request: the suites of `reliability/`, one after the other in this order, each with its full number of
 * rounds, and `bench` on small databases. `npm run test:long -- kill disk` runs some of them; `ROUNDS=5` and the like (reliability/sizes.ts) shorten
 * them.
 */
const LONG = [
  'stop',
  'disk',
  'database-trouble',
  'database-exhausted',
  'rolling-restart',
  'failover',
  'failover-patroni',
  'kill',
  'odd-places',
  'first-day',
  'hostile-files',
  'bench',
  'measured',
  'endurance',
  'conformance',
]
/** Need root and packages of Debian, or the conformance suite of the protocol of assistants, so they run only by their names. */
const BY_NAME = ['failover-patroni', 'conformance']
const CONFORMANCE = 'server/mcp/conformance.long.test.ts'
/** Long tests, measurements and tests of a larger number with LONG are next to the code that they test. */
const isMeasured = (file) =>
  file.endsWith('.long.test.ts') || /process\.env\.(LONG|SLOW_CLIENTS)/.test(readFileSync(file))
const MEASURED = ['bench', 'server']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)))
  .filter((file) => file.endsWith('.test.ts') && file !== CONFORMANCE && isMeasured(file))
const filesOf = { measured: MEASURED, bench: ['bench/small.test.ts'], conformance: [CONFORMANCE] }
const long = (suite) => ({
  title: `At length: ${suite}`,
  command: [
    ...vitest(`long-${suite}`),
    '--testTimeout=3600000',
    ...(filesOf[suite] ?? [`reliability/${suite}.test.ts`]),
  ],
  report: `long-${suite}`,
  count: countVitest,
  env: { LONG: '1', SLOW_CLIENTS: '500' },
})

const [stage, ...words] = process.argv.slice(2)
if (stage === '--slowest') {
  printSlowest()
  process.exit()
}
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

function choose() {
  if (stage === undefined || stage === 'all') return Object.values(stages)
  if (stage in stages) return [stages[stage]]
  if (stage !== 'long')
    fail(`There is no stage "${stage}": the stages are ${Object.keys(stages).join(', ')}, all, long.`)
  const unknown = suites.find((name) => !LONG.includes(name))
  if (unknown) fail(`There is no suite "${unknown}": the suites are ${LONG.join(', ')}.`)
  return LONG.filter((name) => (suites.length === 0 ? !BY_NAME.includes(name) : suites.includes(name))).map(long)
}

await prepare()
const environment = chosen.includes(stages.journeys) ? { CHROMIUM_PATH: await findChromium() } : {}
// A run of all stages leaves its own reports only. A run of one stage replaces the report of that stage.
if (stage === undefined || stage === 'all') rmSync(REPORTS, { recursive: true, force: true })
mkdirSync(REPORTS, { recursive: true })

const total = { passed: 0, failed: 0 }
for (const { title, command, withoutSlow = [], report, count, env } of chosen) {
  say(`\n${title}`)
  if (report) rmSync(reportOf(report), { force: true })
  const left = stage === undefined ? withoutSlow : []
  const code = await run([...node(), ...command, ...left, ...options], { env: { ...environment, ...env } })
  const { passed, failed } = (report && read(report, count)) ?? { passed: 0, failed: 0 }
  total.passed += passed
  // A stage can fail without any test failing: a file that does not compile, a database that does not start.
  total.failed += code ? Math.max(failed, 1) : failed
  process.exitCode = code
  if (code) break
}
say(`\n${total.passed} passed, ${total.failed} failed`)

function read(report, count) {
  try {
    return count(JSON.parse(readFileSync(reportOf(report), 'utf8')))
  } catch {
    return undefined
  }
}
