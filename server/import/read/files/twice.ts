// Text that was encoded twice: its UTF-8 was read in another encoding, and that was saved as UTF-8, as in `CafÃ©`.

const byteTable = (encoding: string) => {
  const decoder = new TextDecoder(encoding)
  // Programs keep bytes that their encoding does not have as control characters.
  const table = new Map(Array.from({ length: 0x20 }, (_, at) => [String.fromCharCode(0x80 + at), 0x80 + at]))
  for (let byte = 0x80; byte <= 0xff; byte += 1) table.set(decoder.decode(Uint8Array.of(byte)), byte)
  return table
}

const WESTERN = byteTable('windows-1252')
const OTHERS = ['macintosh', 'windows-1251', 'windows-1250'].map(byteTable)

/** Letters of alphabets, common signs, Chinese, Japanese and Korean, and emoji. */
const NATURAL =
  /^[ \u00a0-\u024f\u0370-\u052f\u05d0-\u05ea\u0620-\u064a\u1e00-\u1eff\u2010-\u203a\u20a0-\u20bf\u2122\u2600-\u27bf\u3001-\u30ff\u4e00-\u9fff\uac00-\ud7af\ufeff\u{1f300}-\u{1faff}]+$/u

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The natural text of bytes in UTF-8. */
function decoded(bytes: number[]): string | undefined {
  try {
    const text = decoder.decode(Uint8Array.from(bytes))
    return NATURAL.test(text) ? text : undefined
  } catch {
    return undefined
  }
}

/** The text with what was encoded twice as it should be. Other characters stay. */
export const mended = (text: string): string =>
  text.replace(
    /[^\0-\x7f]{2,}(?: [^\0-\x7f]{2,})*/gu,
    (run) => mendedWhole(run) ?? run.split(' ').map(mendedWord).join(' '),
  )

function mendedWhole(run: string): string | undefined {
  for (const table of OTHERS) {
    const bytes = [...run].map((character) => (character === ' ' ? 0x20 : table.get(character)))
    // A few letters may be so by chance.
    const least = table === OTHERS[0] ? 2 : 4
    if (bytes.length < least || bytes.some((byte) => byte === undefined)) continue
    const text = decoded(bytes as number[])
    if (text !== undefined) return text
  }
  return undefined
}

function mendedWord(word: string): string {
  const whole = mendedWhole(word)
  if (whole !== undefined) return whole
  const characters = [...word]
  let mended = ''
  for (let at = 0; at < characters.length; ) {
    const bytes = characters.slice(at, at + 4).map((character) => WESTERN.get(character) ?? 0)
    const length = [2, 3, 4].find((count) => bytes.length >= count && lengthOf(bytes[0] ?? 0) === count) ?? 0
    const text = length > 0 ? decoded(bytes.slice(0, length)) : undefined
    mended += text ?? characters[at]
    at += text === undefined ? 1 : length
  }
  return mended
}

/** The number of bytes of a character, from its first byte. */
const lengthOf = (byte: number) => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc2 ? 2 : 0)

/** Far more than a phrase. */
const WAITING_MAX = 1_000

/** Mends a text in pieces. What a piece may end within waits for the next one. */
export async function* mendedPieces(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = ''
  for await (const piece of pieces) {
    const text = waiting + piece
    const end = text.length - (/(?:[^\0-\x7f]| )+$/.exec(text.slice(-WAITING_MAX))?.[0].length ?? 0)
    yield mended(text.slice(0, end))
    waiting = text.slice(end)
  }
  yield mended(waiting)
}
