import type { BrowserContextOptions } from '@playwright/test'

/** The default browser options of journeys. */
export const CONTEXT_OPTIONS = {
  viewport: { width: 1440, height: 900 },
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
  // Animations take processor time; a journey about one switches them on.
  reducedMotion: 'reduce',
} satisfies BrowserContextOptions
