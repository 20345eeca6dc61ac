// The tags of a record in one cell of a file. Names that contain a separator or a quote are quoted, as in CSV.

const NEEDS_QUOTES = /[;,"\n\r[]/

/** `Climate; "Hardware, deep tech"` */
export const joinTags = (names: string[]): string =>
  names.map((name) => (NEEDS_QUOTES.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join('; ')

/**
 * The names in a cell: of our own files, or of others, which separate them by semicolons, commas or lines. A text with a
 * semicolon is separated by semicolons alone. JSON Lines have a list.
 */
export function splitTags(text: string): string[] {
  const list = listIn(text)
  if (list !== undefined) return list
  const separators = new Set(isInSemicolons(text) ? ';\n\r' : ',\n\r')
  const names: string[] = []
  let [name, isQuoted] = ['', false]
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? ''
    if (isQuoted && sign === '"' && text[at + 1] === '"') {
      name += sign
      at += 1
    } else if (sign === '"' && (isQuoted || name.trim() === '')) isQuoted = !isQuoted
    else if (!isQuoted && separators.has(sign)) {
      names.push(name)
      name = ''
    } else name += sign
  }
  return [...names, name].map((name) => name.trim()).filter((name) => name !== '')
}

/** Outside of quotes. */
const isInSemicolons = (text: string): boolean => text.replaceAll(/"[^"]*"/g, '').includes(';')

function listIn(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every((name) => typeof name === 'string') ? list : undefined
  } catch {
    return undefined
  }
}
