/** A page declares its encoding near its start, if at all. */
const PRESCANNED = 1024

/** Decodes a page: by its byte order mark, else its header, else its own declaration, else as UTF-8. */
export function decode(body: Buffer, contentType: string): string {
  const label = byMark(body) ?? charsetOf(contentType) ?? byMeta(body) ?? 'utf-8'
  try {
    return new TextDecoder(label).decode(body)
  } catch {
    // An unknown charset.
    return new TextDecoder().decode(body)
  }
}

function byMark(body: Buffer): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  return undefined
}

/** A page whose `<meta>` is readable as ASCII is not UTF-16, whatever it declares. */
function byMeta(body: Buffer): string | undefined {
  const start = body.toString('latin1', 0, PRESCANNED)
  const label = charsetOf(/<meta\s[^>]*charset\s*=[^>]*/i.exec(start)?.[0] ?? '')
  return label?.toLowerCase().startsWith('utf-16') ? undefined : label
}

const charsetOf = (text: string) => /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1]
