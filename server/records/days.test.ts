import { describe, expect, it } from 'vitest'
import { endOfDay, startOfDay, today } from './days.ts'

describe('A day of the viewer', () => {
  it.each([
    ['UTC', '2026-03-02', '2026-03-02T00:00:00.000Z'],
    ['Europe/Berlin', '2026-03-02', '2026-03-01T23:00:00.000Z'],
    ['Europe/Berlin', '2026-07-02', '2026-07-01T22:00:00.000Z'],
    ['Asia/Kathmandu', '2026-03-02', '2026-03-01T18:15:00.000Z'],
    ['Pacific/Kiritimati', '2026-03-02', '2026-03-01T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-03-02', '2026-03-02T11:00:00.000Z'],
    // Clocks go forward at midnight, so that this day begins at one.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
    // Clocks go back at one, so that midnight comes twice.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
    // There was no December 30, 2011 in Samoa.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
    ['Asia/Tokyo', '0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['America/Los_Angeles', '9999-12-31', '9999-12-31T08:00:00.000Z'],
  ])('in %s, %s begins at %s', (timeZone, day, moment) => {
    expect(startOfDay(day, timeZone).toISOString()).toBe(moment)
  })

  it.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Pacific/Apia', '2011-12-30', 0],
    ['UTC', '2026-12-31', 24],
  ])('in %s, %s has its own length', (timeZone, day, hours) => {
    const length = Number(endOfDay(day, timeZone)) - Number(startOfDay(day, timeZone))
    expect(length / 3_600_000).toBe(hours)
  })

  it('has no end where no later day can be written', () => {
    expect(endOfDay('9999-12-31', 'UTC')).toBeUndefined()
  })

  it('is the one of now where the viewer is', () => {
    const now = Date.parse('2026-03-02T23:30:00Z')
    expect(['UTC', 'Europe/Berlin', 'America/New_York'].map((timeZone) => today(timeZone, now))).toEqual([
      ...['2026-03-02', '2026-03-03', '2026-03-02'],
    ])
  })
})
