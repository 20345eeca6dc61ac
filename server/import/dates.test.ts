import { describe, expect, it } from 'vitest'
import { timeOf } from './dates.ts'

const iso = (text: string) => timeOf(text)?.toISOString()

describe('A date', () => {
  it.each([
    ['2024-03-05', '2024-03-05T00:00:00.000Z'],
    ['2024-03-05 15:04', '2024-03-05T15:04:00.000Z'],
    ['2024-03-05T15:04:00+02:00', '2024-03-05T13:04:00.000Z'],
    ['March 5, 2024', '2024-03-05T00:00:00.000Z'],
    ['March 5, 2024 3:04 PM', '2024-03-05T15:04:00.000Z'],
    ['March 5, 2024 3:04\u202fPM', '2024-03-05T15:04:00.000Z'],
    ['March 5, 2024 12:30 AM (UTC)', '2024-03-05T00:30:00.000Z'],
    ['Mar 5, 2024', '2024-03-05T00:00:00.000Z'],
    ['MAY 1st 2024', '2024-05-01T00:00:00.000Z'],
    ['5 March 2024', '2024-03-05T00:00:00.000Z'],
    ['5. Sept. 2024, 15:04', '2024-09-05T15:04:00.000Z'],
    ['29 February 2024', '2024-02-29T00:00:00.000Z'],
  ])('%s is one time, in UTC without a zone', (text, time) => {
    expect(iso(text)).toBe(time)
  })

  it.each([
    ...['03/04/2024', '3.4.2024', '5 March', 'March 2024', '5 March 24', 'Marc 5, 2024', 'Smarch 5, 2024'],
    ...['February 29, 2023', 'March 32, 2024', 'March 0, 2024', 'March 5, 2024 25:00', 'March 5, 2024 13:00 PM'],
    ...['March 5, 2024 0:30 AM', 'March 5, 2024 3:60 PM', 'March 5, 2024 → March 6, 2024', '2024-13-05', 'yesterday'],
  ])('%s is not one time', (text) => {
    expect(iso(text)).toBeUndefined()
  })
})
