import type { BrowserContextOptions } from '@playwright/test'

/** What a browser is to the journeys, unless one asks for something else. */
export const CONTEXT_OPTIONS = {
  viewport: { width: 1440, height: 900 },
  locale: 'en-GB',
  timezoneId: 'Europe/Berlin',
  // Frames of animations take processor time; a journey about one asks for it.
  reducedMotion: 'reduce',
} satisfies BrowserContextOptions
