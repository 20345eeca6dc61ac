import { describe, expect, it } from 'vitest'
import { calendarOf } from './calendar.ts'

const NOW = new Date('2026-11-24T09:08:07.006Z')
const step = (overrides: object = {}) => ({
  ...{ id: '01900000-0000-7000-8000-000000000001', sequence: 3, day: '2026-12-31', summary: 'Call (Ada)' },
  ...{ url: 'https://book.example/founders/01900000-0000-7000-8000-000000000001', ...overrides },
})
const unfolded = (file: string) => file.replaceAll('\r\n ', '').split('\r\n')

describe('A calendar file', () => {
  it('has a whole day with the id of its record, the number of its change, and a line break of two characters', () => {
    expect(unfolded(calendarOf([step()], NOW))).toEqual([
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Sourcebook//Next steps//EN', 'CALSCALE:GREGORIAN'],
      ...['METHOD:PUBLISH', 'BEGIN:VEVENT', 'UID:next-step-01900000-0000-7000-8000-000000000001@sourcebook'],
      ...['SEQUENCE:3', 'DTSTAMP:20261124T090807Z', 'DTSTART;VALUE=DATE:20261231', 'DTEND;VALUE=DATE:20270101'],
      ...['SUMMARY:Call (Ada)', 'URL:https://book.example/founders/01900000-0000-7000-8000-000000000001'],
      ...['TRANSP:TRANSPARENT', 'END:VEVENT', 'END:VCALENDAR', ''],
    ])
    expect(calendarOf([step()], NOW)).not.toMatch(/[^\r]\n/)
  })

  it('cancels a day under its id', () => {
    const lines = unfolded(calendarOf([step({ isCancelled: true })], NOW))
    expect(lines).toContain('STATUS:CANCELLED')
    expect(lines.filter((line) => line !== 'STATUS:CANCELLED')).toEqual(unfolded(calendarOf([step()], NOW)))
  })

  it('without steps is a calendar without days', () => {
    expect(calendarOf([], NOW)).toBe(calendarOf([step()], NOW).replace(/BEGIN:VEVENT.+END:VEVENT\r\n/s, ''))
  })

  it('keeps what means something in it as text, and lets no text begin a line of its own', () => {
    const summary = 'A\\B; C, D\nBEGIN:VALARM\r\nX\rY\u0007\u0000Z'
    const lines = unfolded(calendarOf([step({ summary })], NOW))
    expect(lines).toContain('SUMMARY:A\\\\B\\; C\\, D\\nBEGIN:VALARM\\nX\\nY  Z')
    expect(lines.filter((line) => line.startsWith('BEGIN:'))).toHaveLength(2)
  })

  it.each(['x'.repeat(500), 'é'.repeat(200), '李明 '.repeat(60), '👩‍🚀'.repeat(40), `${'a'.repeat(66)}é`])(
    'folds lines at 75 bytes, between characters: %s',
    (summary) => {
      const file = calendarOf([step({ summary })], NOW)
      for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(Buffer.from(file).toString()).not.toContain('\ufffd')
      expect(unfolded(file)).toContain(`SUMMARY:${summary}`)
    },
  )

  it.each([
    ['2028-02-28', '20280229'],
    ['2027-02-28', '20270301'],
    ['2026-03-28', '20260329'],
    ['9999-12-30', '99991231'],
  ])('ends the day %s before %s', (day, end) => {
    expect(calendarOf([step({ day })], NOW)).toContain(`DTEND;VALUE=DATE:${end}\r\n`)
  })

  it('has the last day that there is without an end', () => {
    expect(calendarOf([step({ day: '9999-12-31' })], NOW)).not.toContain('DTEND')
  })
})
