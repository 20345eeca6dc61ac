import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Where a test runs is decided here. Tests of the server run on the PostgreSQL that the product starts by default.

/** These tests open no database of the run. */
const WITHOUT_DATABASE = [
  'bench/comparison.test.ts',
  'contract/**/*.test.ts',
  'docs/**/*.test.ts',
  'server/db/embedded/**/*.test.ts',
  'server/{env,rights,safe-setup}.test.ts',
  'server/http/{batches,fair-share,limiter,network-key}.test.ts',
  'server/ledger/lines.test.ts',
  'server/notes/alias.test.ts',
  'server/ops/cli/as-root.test.ts',
  'server/auth/{sign-in/device-cookie,sign-in/password-rule,sign-up/join-rule,sessions/memoize}.test.ts',
  'server/auth/sso/verified-email.test.ts',
  'server/account/device.test.ts',
  'server/audit-log/{actions,csv}.test.ts',
  'server/records/{cursor,days,write/write}.test.ts',
  'server/names/*.test.ts',
  'server/lists/excerpt.test.ts',
  'server/tags/joined.test.ts',
  'server/import/{jobs/temporary-files,read/**/*,rows/foreign-files,targets/notes/split}.test.ts',
  'server/pipeline/calendar.test.ts',
  'server/{channels/message,digest/due,sending/*,webhooks/guarded}.test.ts',
  'server/guarded-fetch/**/*.test.ts',
  'server/enrichment/{pictures,providers}/**/*.test.ts',
  'server/enrichment/{ask-all,findings,notice,provider-client}.test.ts',
  'scripts/seed/{arguments,large-world}.test.ts',
  'scripts/{journeys,layers,supply-chain}.test.ts',
  'web/src/**/*.test.ts',
]

const SERVER = ['server/**/*.test.ts', 'scripts/**/*.test.ts']

/** Servers and databases of their own: measured, and hurt. */
const WITH_OWN_SERVERS = ['bench', 'reliability']

/**
 * Long tests and measurements, which run only on request: `npm run test:long`. Of `reliability/`, what ends a server,
 * fills its disk or cuts its power also runs always, in a short form.
 */
const LONG = process.env.LONG
  ? []
  : ['**/*.long.test.ts', 'bench/small.test.ts', 'reliability/!(stop|kill|disk|power-cut).test.ts']

/** Those that `npm test -- --slowest` shows first. They begin first, so that no core waits for one at the end. */
const LONGEST = [
  'reliability/disk.test.ts',
  'reliability/kill.test.ts',
  'reliability/stop.test.ts',
  'server/db/upgrades.test.ts',
  'server/every-call.test.ts',
  'server/import/http/rights.test.ts',
  'server/ledger/ledger.test.ts',
  'server/main.test.ts',
  'server/merge/model.test.ts',
  'server/plans.test.ts',
  'server/programme/people/no-session.test.ts',
  'server/records/sequences.test.ts',
].map((file) => join(import.meta.dirname, file))

for (const file of LONGEST) if (!existsSync(file)) throw new Error(`${file} is not there: correct LONGEST`)

/** The files of each project one after the other, because a worker imports everything again for another project. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const isLongest = ({ moduleId }: TestSpecification) => LONGEST.includes(moduleId)
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project)
      return [...own.filter(isLongest), ...own.filter((file) => !isLongest(file))]
    })
  }
}

export default defineConfig({
  test: {
    // Generous, because a busy machine is not a failure.
    testTimeout: 60_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 10_000 } },
    // None, so that a test that fails by chance is seen. Where others depend on the result, `.ci/run` allows some.
    retry: Number(process.env.TEST_RETRIES ?? 0),
    tags: [{ name: 'slow', description: 'Runs in CI and on request: `npm test -- all`.' }],
    // Files of a process share their imports, which are hundreds of modules. Each file opens its own app and database.
    isolate: false,
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Not inherited by projects: it runs once, and all projects share its result.
    globalSetup: 'server/test/databases-setup.ts',
    projects: [
      { extends: true, test: { name: 'unit', include: WITHOUT_DATABASE, exclude: LONG } },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: [...SERVER, ...WITH_OWN_SERVERS.map((name) => `${name}/*.test.ts`)],
          exclude: [...WITHOUT_DATABASE, ...LONG],
        },
      },
    ],
  },
})
