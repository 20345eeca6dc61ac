// Calendar files by RFC 5545: lines of at most 75 bytes, and texts without characters that mean something in them.

/** A day in a calendar. `sequence` rises with each change, so that a calendar replaces what it has of the same id. */
export type CalendarDay = {
  id: string
  sequence: number
  day: string
  summary: string
  url: string
  isCancelled?: boolean
}

const escaped = (text: string): string =>
  text
    .replaceAll(/[\\;,]/g, (character) => `\\${character}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ')

const LINE_BYTES = 75

/** A line goes on in the next one after a space. No character is divided. */
function folded(line: string): string {
  const lines = ['']
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > LINE_BYTES) {
      lines.push(' ')
      bytes = 1
    }
    lines[lines.length - 1] += character
    bytes += size
  }
  return lines.join('\r\n')
}

const digits = (text: string) => text.replaceAll(/[-:]/g, '')

/** Year 9999 has no day after it. */
function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

export function calendarOf(days: CalendarDay[], now = new Date()): string {
  const stamp = `${digits(now.toISOString().slice(0, 19))}Z`
  const lines = [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Sourcebook//Next steps//EN', 'CALSCALE:GREGORIAN'],
    'METHOD:PUBLISH',
    ...days.flatMap(({ id, sequence, day, summary, url, isCancelled }) => [
      ...['BEGIN:VEVENT', `UID:next-step-${id}@sourcebook`, `SEQUENCE:${sequence}`, `DTSTAMP:${stamp}`],
      ...[
        `DTSTART;VALUE=DATE:${digits(day)}`,
        ...(day < '9999-12-31' ? [`DTEND;VALUE=DATE:${digits(dayAfter(day))}`] : []),
      ],
      ...(isCancelled ? ['STATUS:CANCELLED'] : []),
      ...[`SUMMARY:${escaped(summary)}`, `URL:${url}`, 'TRANSP:TRANSPARENT', 'END:VEVENT'],
    ]),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
