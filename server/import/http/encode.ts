import type { CsvDialect } from '#contract/import-file.ts'

type Encoding = CsvDialect['encoding']

/** The bytes of a character that an encoding does not have: a question mark. Only sentences of ours can have one. */
const UNKNOWN = [0x3f]

/** Encodes text. Node only decodes most encodings, so their tables are made by decoding all of their bytes once. */
export function encoderOf(encoding: Encoding): (text: string) => Buffer {
  if (encoding.startsWith('utf-8')) return (text) => Buffer.from(text)
  if (encoding === 'utf-16le') return (text) => Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return (text) => Buffer.from(text, 'utf16le').swap16()
  const table = tableOf(encoding)
  return (text) => Buffer.from([...text].flatMap((character) => table.get(character) ?? beyond(encoding, character)))
}

const tables = new Map<Encoding, Map<string, number[]>>()

function tableOf(encoding: Encoding): Map<string, number[]> {
  const known = tables.get(encoding) ?? makeTable(encoding)
  tables.set(encoding, known)
  return known
}

function makeTable(encoding: Encoding): Map<string, number[]> {
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, number[]>()
  const add = (...bytes: number[]) => {
    const character = decoder.decode(Uint8Array.from(bytes))
    // The first bytes of a character are the usual ones.
    if ([...character].length === 1 && character !== '\ufffd' && !table.has(character)) table.set(character, bytes)
  }
  for (let byte = 0; byte <= 0xff; byte += 1) add(byte)
  if (encoding !== 'shift_jis' && encoding !== 'gb18030') return table
  for (let lead = 0x81; lead <= 0xfe; lead += 1) for (let trail = 0x40; trail <= 0xfe; trail += 1) add(lead, trail)
  // The characters of four bytes below U+10000.
  if (encoding === 'gb18030') for (let index = 0; index < 39_420; index += 1) add(...fourBytes(index))
  return table
}

const fourBytes = (index: number): number[] => [
  0x81 + Math.floor(index / 12_600),
  0x30 + (Math.floor(index / 1_260) % 10),
  0x81 + (Math.floor(index / 10) % 126),
  0x30 + (index % 10),
]

/** GB18030 has the characters from U+10000 on in order. */
function beyond(encoding: Encoding, character: string): number[] {
  const code = character.codePointAt(0) ?? 0
  return encoding === 'gb18030' && code >= 0x1_0000 ? fourBytes(code - 0x1_0000 + 189_000) : UNKNOWN
}
