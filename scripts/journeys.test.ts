import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// A journey takes about five seconds of processor time, a component test a hundredth of that. The journeys are therefore
// limited in number.

const JOURNEYS_MAX = 240

const ADVICE = `There may be at most ${JOURNEYS_MAX} journeys. Where a new one goes:
- what an answer of the server says: a test beside its route;
- what a screen says, and when: a component rendered to text (web/src/account/name-form.test.ts) or a pure function;
- whether a state is accessible and fits: a row of e2e/every-width.journey.ts, or a check where a journey reaches it;
- behaviour of a browser on a screen that has a journey: a step of that journey (test.step), without another page load;
- anything else: a journey, in place of one whose every assertion another test makes.`

it(`There are at most ${JOURNEYS_MAX} journeys`, { tags: 'slow', timeout: 240_000 }, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      ...['node_modules/@playwright/test/cli.js', 'test', '--config=e2e', '--list', '--reporter=json'],
    ],
    { maxBuffer: 64_000_000 },
  )
  // Those that are only listed count as skipped.
  const { skipped } = (JSON.parse(stdout) as { stats: { skipped: number } }).stats
  expect(skipped).toBeGreaterThan(100)
  expect(skipped, ADVICE).toBeLessThanOrEqual(JOURNEYS_MAX)
})
