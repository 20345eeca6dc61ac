import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { today } from '#server/records/days.ts'
import { dueDay, nextDigest, type Times, timesOf } from './due.ts'

const at = (moment: string, digest: Partial<Times> = {}) =>
  nextDigest({ rhythm: 'daily', hour: 8, timeZone: 'UTC', ...digest }, new Date(moment))?.toISOString() ?? null

describe('The next mail', () => {
  it.each<[title: string, after: string, digest: Partial<Times>, due: string | null]>([
    ['is never where it is off', '2026-11-28T07:00Z', { rhythm: 'off' }, null],
    ['is today before the hour', '2026-11-28T07:59Z', {}, '2026-11-28T08:00:00.000Z'],
    ['is tomorrow from the hour on', '2026-11-28T08:00Z', {}, '2026-11-29T08:00:00.000Z'],
    ['is on Monday after Friday, on weekdays', '2026-11-27T09:00Z', { rhythm: 'weekdays' }, '2026-11-30T08:00:00.000Z'],
    [
      'is on Monday, of the Monday list alone',
      '2026-11-23T07:00Z',
      { rhythm: 'mondays', hour: 7 },
      '2026-11-30T07:00:00.000Z',
    ],
    ['is at an hour of the own zone', '2026-11-28T00:00Z', { timeZone: 'Europe/Berlin' }, '2026-11-28T07:00:00.000Z'],
    ['knows zones of half hours', '2026-11-28T00:00Z', { timeZone: 'Asia/Kolkata' }, '2026-11-28T02:30:00.000Z'],
    ['knows zones of quarters', '2026-11-28T00:00Z', { timeZone: 'Asia/Kathmandu' }, '2026-11-28T02:15:00.000Z'],
    [
      'is of the own day east of the date line',
      '2026-11-27T18:30Z',
      { timeZone: 'Pacific/Kiritimati' },
      '2026-11-28T18:00:00.000Z',
    ],
    [
      'is of the own day west of it',
      '2026-11-28T18:30Z',
      { timeZone: 'Pacific/Pago_Pago' },
      '2026-11-28T19:00:00.000Z',
    ],
    [
      'skips a day that the date line took',
      '2011-12-30T00:00Z',
      { timeZone: 'Pacific/Apia' },
      '2011-12-30T18:00:00.000Z',
    ],
    [
      'at an hour that summer time skips is the next one',
      '2026-03-29T00:00Z',
      { timeZone: 'Europe/Berlin', hour: 2 },
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'at an hour that comes twice is at the first',
      '2026-10-24T12:00Z',
      { timeZone: 'Europe/Berlin', hour: 2 },
      '2026-10-25T00:00:00.000Z',
    ],
    [
      'at a midnight that summer time skips is at one',
      '2026-04-23T12:00Z',
      { timeZone: 'Africa/Cairo', hour: 0 },
      '2026-04-23T22:00:00.000Z',
    ],
  ])('%s', (_title, after, digest, due) => {
    expect(at(after, digest)).toBe(due)
  })

  it('comes at most once a local day, and once on each that counts, in every zone and through a year', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 23 }),
        fc.constantFrom('daily' as const, 'weekdays' as const),
        fc.integer({ min: 0, max: 365 }),
        (timeZone, hour, rhythm, from) => {
          const digest = { rhythm, hour, timeZone }
          let moment = new Date(Date.UTC(2026, 0, 1 + from))
          let last: string | undefined
          for (let mails = 0; mails < 9; mails += 1) {
            const due = nextDigest(digest, moment) as Date
            expect(due.getTime()).toBeGreaterThan(moment.getTime())
            const day = today(timeZone, due.getTime())
            expect(dueDay(digest, due)).toBe(day)
            if (last !== undefined) {
              const days = (Date.parse(day) - Date.parse(last)) / 86_400_000
              const isOverWeekend = rhythm === 'weekdays' && new Date(last).getUTCDay() === 5
              expect([timeZone, hour, day, days]).toEqual([timeZone, hour, day, isOverWeekend ? 3 : 1])
            }
            ;[last, moment] = [day, due]
          }
        },
      ),
      { numRuns: 10 },
    )
  })
})

describe('The day of a mail', () => {
  it('is due from its hour on until the day ends, and none is due for a day that has passed', () => {
    const digest = { rhythm: 'weekdays', hour: 8, timeZone: 'America/New_York' } as const
    expect(dueDay(digest, new Date('2026-11-27T12:59Z'))).toBeUndefined()
    expect(dueDay(digest, new Date('2026-11-27T13:00Z'))).toBe('2026-11-27')
    expect(dueDay(digest, new Date('2026-11-28T04:59Z'))).toBe('2026-11-27')
    expect(dueDay(digest, new Date('2026-11-28T05:00Z'))).toBeUndefined()
  })
})

it.each([
  [
    { when: 'off', week: true },
    { rhythm: 'mondays', hour: 7, timeZone: 'UTC' },
  ],
  [
    { when: 'off', week: false },
    { rhythm: 'off', hour: 9, timeZone: 'Asia/Kolkata' },
  ],
  [
    { when: 'weekdays', week: true },
    { rhythm: 'weekdays', hour: 9, timeZone: 'Asia/Kolkata' },
  ],
] as const)('The Monday list comes in the daily mail, else Monday 7:00 UTC: %j', (chosen, times) => {
  expect(timesOf({ ...chosen, hour: 9, timeZone: 'Asia/Kolkata' })).toEqual(times)
})
