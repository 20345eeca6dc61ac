import { MantineProvider } from '@mantine/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { UninformedFounderItem } from './uninformed-founder-item.tsx'

beforeEach(() => {
  vi.stubEnv('TZ', 'Pacific/Kiritimati')
  vi.useFakeTimers()
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
})

// Days there begin at 10:00 UTC.
it.each([
  ['2026-03-04T10:00:00Z', 'Due on'],
  ['2026-03-05T09:59:59Z', 'Due on'],
  ['2026-03-05T10:00:00Z', 'Late: was due on'],
])('A founder to inform is late from the day after on, by the calendar of the viewer: at %s', (now, words) => {
  vi.setSystemTime(now)
  const founder = {
    id: 'one',
    name: 'Ada',
    email: null,
    linkedIn: '',
    addedAt: '2026-02-04T12:00:00Z',
    dueAt: '2026-03-04T12:00:00Z',
  }
  const act = () => undefined
  const item = createElement(UninformedFounderItem, {
    ...{ founder, isChosen: false, onChoose: act, onWrite: act, onSent: act },
  })
  const page = createElement(MemoryRouter, null, createElement(MantineProvider, null, item))
  expect(renderToStaticMarkup(page)).toContain(words)
})
