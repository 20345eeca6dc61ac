/** A page says what it is written in near its start, or not at all. */
const PRESCANNED = 1024

/** A page as text: by its byte order mark, else by its header, else by what it says itself, else as UTF-8. */
export function decode(body: Buffer, contentType: string): string {
  const label = byMark(body) ?? charsetOf(contentType) ?? byMeta(body) ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    // A charset that nobody knows.
    return new TextDecoder().decode(body)
  }
}

function byMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return undefined
}

/** A page whose `<meta>` could be read as ASCII is not UTF-16, whatever it says. */
function byMeta(body: Buffer): string | undefined {
  const start = body.toString('latin1', 0, PRESCANNED)
  const label = charsetOf(/<meta\s[^>]*charset\s*=[^>]*/i.exec(start)?.[0] ?? '')
  return label?.toLowerCase().startsWith('utf-16') ? undefined : label
}

const charsetOf = (text: string) => /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1]
