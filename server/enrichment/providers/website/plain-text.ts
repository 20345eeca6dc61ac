import { Parser } from 'htmlparser2'
import { text } from '#server/enrichment/findings.ts'

/** More than is ever kept, and little enough to parse in one go. */
const READ_MAX = 20_000

/** Plain text on one line: tags removed, entities decoded, at most `max` code points. */
export function plainText(value: unknown, max: number): string | undefined {
  if (typeof value === 'number') return text(String(value), max)
  if (typeof value !== 'string') return undefined
  const start = value.slice(0, READ_MAX)
  return text((/[<&]/.test(start) ? withoutMarkup(start) : start).replace(/\s+/g, ' '), max)
}

function withoutMarkup(html: string): string {
  const pieces: string[] = []
  const parser = new Parser({
    // A tag separates words.
    onopentagname: () => pieces.push(' '),
    ontext: (piece) => pieces.push(piece),
  })
  parser.end(html)
  return pieces.join('')
}
