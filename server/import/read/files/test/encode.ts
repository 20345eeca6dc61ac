import type { CsvDialect } from '#contract/import-file.ts'

type Encoding = CsvDialect['encoding']

/** The text in an encoding, without a byte order mark. Throws if the encoding does not have one of its characters. */
export function encode(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  const table = tableOf(encoding)
  return Buffer.concat(
    Array.from(text, (character) => {
      if (character <= '\x7f') return Buffer.from(character)
      const bytes = table.get(character)
      if (!bytes) throw new Error(`${encoding} has no ${character}`)
      return bytes
    }),
  )
}

const tables = new Map<Encoding, Map<string, Buffer>>()

/** The bytes of each character beyond ASCII, found by decoding all of one and two bytes. */
function tableOf(encoding: Encoding): Map<string, Buffer> {
  const known = tables.get(encoding)
  if (known) return known
  const table = new Map<string, Buffer>()
  const add = (bytes: Buffer) => {
    const text = new TextDecoder(encoding).decode(bytes, { stream: true })
    const isOne = [...text].length === 1 && text !== '\ufffd' && text > '\x7f'
    if (isOne && !table.has(text)) table.set(text, bytes)
  }
  for (let first = 0x80; first <= 0xff; first++) add(Buffer.of(first))
  if (encoding === 'shift_jis' || encoding === 'gb18030') {
    for (let first = 0x81; first <= 0xfe; first++) {
      for (let second = 0x40; second <= 0xfe; second++) add(Buffer.of(first, second))
    }
  }
  tables.set(encoding, table)
  return table
}
