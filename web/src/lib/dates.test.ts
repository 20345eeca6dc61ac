import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { dayAfterMonths, formatAgo, formatDay, formatDaysAgo, formatMoment, formatNoteTime } from './dates.ts'

const inZone = (zone: string) => {
  beforeEach(() => void vi.stubEnv('TZ', zone))
  afterEach(() => void vi.unstubAllEnvs())
}

it.each([
  ['2026-03-18', 6, '2026-09-18'],
  ['2026-11-30', 3, '2027-02-28'],
  ['2026-08-31', 6, '2027-02-28'],
  ['2027-08-31', 6, '2028-02-29'],
  ['2026-12-31', 12, '2027-12-31'],
])('The day after months: %s and %i are %s, where a month is shorter its last day', (from, months, day) => {
  expect(dayAfterMonths(months, new Date(`${from}T10:00`))).toBe(day)
})

const HOUR = 3_600_000
const now = new Date('2026-03-18T12:00:00Z')
const ago = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()

describe('The time of a note', () => {
  const has = (iso: string) => {
    const shown = formatNoteTime(iso, now)
    return { shown, isTime: /\d:\d\d/.test(shown), isDate: shown === formatDay(iso) }
  }

  it('is the time alone under 24 hours', () => {
    for (const age of [0, HOUR, 24 * HOUR - 1]) {
      const { shown, isTime } = has(ago(age))
      expect(isTime).toBe(true)
      expect(shown).not.toMatch(/[a-z]{3}/i)
    }
  })

  it('is weekday and time from 24 hours to 7 days', () => {
    for (const age of [24 * HOUR, 7 * 24 * HOUR - 1]) {
      const { shown, isTime } = has(ago(age))
      expect(isTime).toBe(true)
      expect(shown).toMatch(/[a-z]{3}/i)
    }
  })

  it('is the date from 7 days on', () => {
    expect(has(ago(7 * 24 * HOUR)).isDate).toBe(true)
    expect(has('2019-01-01T00:00:00Z').isDate).toBe(true)
  })

  it('is the time for a clock that runs behind', () => {
    expect(has(ago(-HOUR)).isTime).toBe(true)
  })
})

describe('A relative time', () => {
  const MINUTE = HOUR / 60
  const DAY = 24 * HOUR

  it.each([
    [0, 'just now'],
    [MINUTE - 1, 'just now'],
    [MINUTE, '1 minute ago'],
    [HOUR - 1, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [DAY - 1, '23 hours ago'],
    [DAY, '1 day ago'],
    [3 * DAY, '3 days ago'],
    [7 * DAY, '1 week ago'],
    [29 * DAY, '4 weeks ago'],
    [30 * DAY, '1 month ago'],
    [364 * DAY, '12 months ago'],
    [730 * DAY, '2 years ago'],
  ])('uses the largest unit that fits: %i ms are %s', (age, words) => {
    expect(formatAgo(ago(age), now)).toBe(words)
  })

  it('is just now for a clock that runs behind', () => {
    expect(formatAgo(ago(-HOUR), now)).toBe('just now')
  })

  it('has the exact day and time', () => {
    expect(formatMoment(ago(0))).toContain(formatDay(ago(0)))
    expect(formatMoment(ago(0))).toMatch(/\d:\d\d/)
  })
})

describe('The label of a previewed note', () => {
  describe('in Berlin', () => {
    inZone('Europe/Berlin')

    it.each([
      ['2026-03-18T11:59:00Z', 'Today'],
      ['2026-03-17T23:00:00Z', 'Today'], // midnight in Berlin
      ['2026-03-17T22:59:59Z', 'Yesterday'],
      ['2026-03-16T23:00:00Z', 'Yesterday'],
      ['2026-03-16T22:59:59Z', '2d ago'],
      ['2026-03-12T12:00:00Z', '6d ago'],
      ['2026-03-11T12:00:00Z', '1w ago'],
      ['2026-03-05T12:00:00Z', '1w ago'],
      ['2026-03-04T12:00:00Z', '2w ago'],
      ['2026-02-17T12:00:00Z', '4w ago'],
    ])('counts calendar days: %s is %s', (written, label) => {
      expect(formatDaysAgo(written, now)).toBe(label)
    })

    it('is the date from 30 days on', () => {
      expect(formatDaysAgo('2026-02-16T12:00:00Z', now)).toBe(formatDay('2026-02-16T12:00:00Z'))
    })

    it('is right on the day of 23 hours when summer time starts', () => {
      const afterTheChange = new Date('2026-03-30T10:00:00Z')
      expect(formatDaysAgo('2026-03-28T22:30:00Z', afterTheChange)).toBe('2d ago')
      expect(formatDaysAgo('2026-03-29T00:30:00Z', afterTheChange)).toBe('Yesterday')
    })

    it('is Today for a clock that runs behind', () => {
      expect(formatDaysAgo('2026-03-18T12:00:05Z', now)).toBe('Today')
    })
  })

  describe('in Los Angeles', () => {
    inZone('America/Los_Angeles')

    it('follows the day of the viewer, not that of the server', () => {
      expect(formatDaysAgo('2026-03-18T06:59:59Z', now)).toBe('Yesterday')
      expect(formatDaysAgo('2026-03-18T07:00:00Z', now)).toBe('Today')
    })
  })
})
