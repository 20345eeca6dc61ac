import { defineConfig } from 'vitest/config'

// Everything that touches tables runs twice: on the embedded database and on PostgreSQL.
const ON_BOTH_DATABASES = ['server/**/*.test.ts', 'scripts/**/*.test.ts']
const WITHOUT_TABLES = [
  'contract/**/*.test.ts',
  'docs/**/*.test.ts',
  'server/db/embedded/**/*.test.ts',
  'server/test/**/*.test.ts',
  'server/main.test.ts',
  'server/{env,safe-setup}.test.ts',
  'server/ops/cli/as-root.test.ts',
  'server/auth/{device-cookie,join-rule,password-rule,memoize}.test.ts',
  'server/auth/sso/verified-email.test.ts',
  'server/account/device.test.ts',
  'server/audit-log/csv.test.ts',
  'server/records/keys.test.ts',
  'server/guarded-fetch/**/*.test.ts',
  'server/enrichment/{pictures,providers}/**/*.test.ts',
  'server/enrichment/{ask-all,findings,notice,provider-client}.test.ts',
  'scripts/seed/{arguments,large-world}.test.ts',
  'scripts/supply-chain.test.ts',
  'web/src/**/*.test.ts',
]

/** What measures, or goes many rounds, and is run when asked for: `npm run test:long`. */
const LONG = process.env.LONG ? [] : ['**/*.long.test.ts']

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    // A build machine may stand still for seconds at a time; what fails twice is broken.
    retry: 1,
    // Inherited by no project: it runs once, and all are given what it makes.
    globalSetup: 'server/test/embedded-setup.ts',
    projects: [
      { extends: true, test: { name: 'unit', include: WITHOUT_TABLES, exclude: LONG } },
      // Servers and databases of their own, to be hurt. `npm run test:long` does much more of each.
      { extends: true, test: { name: 'reliability', include: ['reliability/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'embedded database',
          include: ON_BOTH_DATABASES,
          exclude: [...WITHOUT_TABLES, ...LONG],
          provide: { database: { kind: 'embedded' } },
        },
      },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: ON_BOTH_DATABASES,
          exclude: [...WITHOUT_TABLES, ...LONG],
          globalSetup: 'server/test/postgres-setup.ts',
        },
      },
    ],
  },
})
