import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: '*.journey.ts',
  timeout: 120_000,
  expect: { timeout: 10_000 },
  fullyParallel: true,
  workers: 3,
  forbidOnly: true,
  // A build machine may stand still for seconds at a time. A test that fails twice is broken.
  retries: 1,
  globalSetup: './empty-database.ts',
  outputDir: '../test-results',
  use: {
    // The browser that `npm test` found, or any of Playwright's own.
    launchOptions: {
      ...(process.env.CHROMIUM_PATH && { executablePath: process.env.CHROMIUM_PATH }),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    screenshot: 'only-on-failure',
    // Traces cost a fifth of the run; `npm test -- journeys --trace on` makes them.
    trace: 'off',
  },
})
