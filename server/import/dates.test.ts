import { describe, expect, it } from 'vitest'
import { type DateOrder, timeOf } from './dates.ts'

const iso = (text: string, order?: DateOrder) => {
  const time = timeOf(text, order)
  return time instanceof Date ? time.toISOString() : time
}

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
    ['5. März 2024', '2024-03-05T00:00:00.000Z'],
    ['1er août 2024', '2024-08-01T00:00:00.000Z'],
    ['5 de marzo de 2024', '2024-03-05T00:00:00.000Z'],
    ['2024/3/5 2:30pm', '2024-03-05T14:30:00.000Z'],
    ['25/12/2024', '2024-12-25T00:00:00.000Z'],
    ['12/25/24 14:30', '2024-12-25T14:30:00.000Z'],
    ['4.4.2024', '2024-04-04T00:00:00.000Z'],
  ])('%s is one time, in UTC without a zone', (text, time) => {
    expect(iso(text)).toBe(time)
  })

  it.each([
    ...['31/04/2024', '13.13.2024', '5 March', 'March 2024', '5 March 24', 'Marc 5, 2024', 'Smarch 5, 2024'],
    ...['February 29, 2023', 'March 32, 2024', 'March 0, 2024', 'March 5, 2024 25:00', 'March 5, 2024 13:00 PM'],
    ...['March 5, 2024 0:30 AM', 'March 5, 2024 3:60 PM', 'March 5, 2024 → March 6, 2024', '2024-13-05', 'yesterday'],
  ])('%s is not one time', (text) => {
    expect(iso(text)).toBeUndefined()
  })

  it.each(['03/04/2024', '3.4.24', '03-04-2024 14:30'])('%s needs a choice of the order', (text) => {
    expect(iso(text)).toBe('ambiguous')
    expect(iso(text, 'day-first')).toMatch(/^2024-04-03/)
    expect(iso(text, 'month-first')).toMatch(/^2024-03-04/)
  })

  it('that the chosen order does not have is not one time', () => {
    expect(iso('25/12/2024', 'month-first')).toBeUndefined()
  })
})
