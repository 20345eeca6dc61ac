// Prints the slowest files and tests of the last run: `npm test -- --slowest`.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fail, root, say } from './run.mjs'

/** Each stage of a run leaves its report here. */
export const REPORTS = join(root, '.cache/test-reports')

const SHOWN = 40

/** What the last run reported: every test with its file and its milliseconds, and every file with its own. */
function readReports() {
  const names = existsSync(REPORTS) ? readdirSync(REPORTS) : []
  if (names.length === 0) fail('There is no report of a run: start one with `npm test`.')
  const read = names.map((name) => JSON.parse(readFileSync(join(REPORTS, name), 'utf8')))
  return read.flatMap((report) => (report.testResults ? ofVitest(report) : ofPlaywright(report)))
}

const ofVitest = ({ testResults }) =>
  testResults.map(({ name, startTime, endTime, assertionResults }) => ({
    file: relative(root, name),
    // The whole file: its hooks too, which start its database and its app.
    ms: endTime - startTime,
    tests: assertionResults.map(({ fullName, duration }) => ({ title: fullName, ms: duration ?? 0 })),
  }))

function ofPlaywright({ suites, config }) {
  const testsIn = (suite, titles) => [
    ...(suite.suites ?? []).flatMap((inner) => testsIn(inner, [...titles, inner.title])),
    ...(suite.specs ?? []).map(({ title, tests }) => ({
      title: [...titles, title].join(' '),
      ms: sum(tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    })),
  ]
  return suites.map((suite) => {
    const tests = testsIn(suite, [])
    return { file: relative(root, join(config.rootDir, suite.file)), ms: sum(tests.map(({ ms }) => ms)), tests }
  })
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
const slowest = (all) => all.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN)
const line = (ms, words) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${words}`

export function printSlowest() {
  const files = readReports()
  const tests = files.flatMap((file) => file.tests.map((test) => ({ ...test, file: file.file })))
  say(`The slowest of ${files.length} files, together ${Math.round(sum(files.map(({ ms }) => ms)) / 1000)} s`)
  for (const { file, ms } of slowest(files)) say(line(ms, file))
  say(`\nThe slowest of ${tests.length} tests`)
  for (const { file, title, ms } of slowest(tests)) say(line(ms, `${file}: ${title}`))
}
