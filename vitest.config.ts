import { defineConfig } from 'vitest/config'

// Everything that touches tables runs twice: on the embedded database and on PostgreSQL.
const ON_BOTH_DATABASES = ['server/**/*.test.ts']
const WITHOUT_TABLES = [
  'contract/**/*.test.ts',
  'server/db/embedded/**/*.test.ts',
  'server/test/**/*.test.ts',
  'server/main.test.ts',
  'server/env.test.ts',
  'server/auth/join-rule.test.ts',
  'server/records/keys.test.ts',
  'server/outside/**/*.test.ts',
  'server/enrichment/{pictures,providers}/**/*.test.ts',
  'server/enrichment/{ask-all,findings,notice,provider-client}.test.ts',
  'web/src/**/*.test.ts',
]

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // A build machine may stand still for seconds at a time; what fails twice is broken.
    retry: 1,
    projects: [
      { extends: true, test: { name: 'unit', include: WITHOUT_TABLES } },
      {
        extends: true,
        test: {
          name: 'embedded database',
          include: ON_BOTH_DATABASES,
          exclude: WITHOUT_TABLES,
          globalSetup: 'server/test/embedded-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'PostgreSQL',
          include: ON_BOTH_DATABASES,
          exclude: WITHOUT_TABLES,
          globalSetup: 'server/test/postgres-setup.ts',
        },
      },
    ],
  },
})
