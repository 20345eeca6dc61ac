import { defineConfig } from '@playwright/test'
import { CONTEXT_OPTIONS } from './context-options.ts'

export default defineConfig({
  testDir: '.',
  testMatch: '*.journey.ts',
  // Generous, because a busy machine is not a failure.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  workers: 3,
  forbidOnly: true,
  retries: Number(process.env.TEST_RETRIES ?? 0),
  globalSetup: './empty-database.ts',
  outputDir: '../test-results',
  use: {
    ...CONTEXT_OPTIONS,
    // The browser that `npm test` found, or Playwright's own.
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: [
        '--no-sandbox',
        // Pages live too short for code to be worth optimizing.
        '--js-flags=--no-opt --no-maglev',
        '--disable-quic',
        '--no-first-run',
        // A finger that slides over a page would leave it.
        '--overscroll-history-navigation=0',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // All pages of a product share one renderer process, which has compiled its scripts.
        '--process-per-site',
      ],
    },
    // Traces cost a fifth of the run; `npm test -- journeys --trace on` makes them.
    trace: 'off',
  },
})
