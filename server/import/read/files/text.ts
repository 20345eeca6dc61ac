import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import type { CsvDialect } from '#contract/import-file.ts'
import { guessLegacyEncoding } from './encoding.ts'
import { mended, mendedPieces } from './twice.ts'

type Encoding = CsvDialect['encoding']

const PIECE = 65_536

const decoderOf = (encoding: Encoding) => new TextDecoder(encoding === 'utf-8-twice' ? 'utf-8' : encoding)

/** The text of a file in pieces. Yields to other requests between two pieces. */
export const readText = (file: Buffer, encoding: Encoding): AsyncGenerator<string> =>
  encoding === 'utf-8-twice' ? mendedPieces(decodedPieces(file, encoding)) : decodedPieces(file, encoding)

async function* decodedPieces(file: Buffer, encoding: Encoding): AsyncGenerator<string> {
  const decoder = decoderOf(encoding)
  for (let at = 0; at < file.length; at += PIECE) {
    // Without `stream`, Node 20 decodes Windows-1252 as Latin-1.
    yield decoder.decode(file.subarray(at, at + PIECE), { stream: true })
    await setImmediate()
  }
  yield decoder.decode()
}

/** The beginning of a file as text. */
export function textSample(file: Buffer, encoding: Encoding, bytes = 2 * PIECE): string {
  const text = decoderOf(encoding).decode(file.subarray(0, bytes), { stream: true })
  return encoding === 'utf-8-twice' ? mended(text) : text
}

/** True when the encoding of a file is certain, so that U+FFFD in it is part of the text. */
export const isWellEncoded = (file: Buffer, encoding: Encoding) => encoding.startsWith('utf-8') && isUtf8(file)

export async function guessEncoding(file: Buffer): Promise<{ encoding: Encoding; isCertain: boolean }> {
  if (file[0] === 0xff && file[1] === 0xfe) return { encoding: 'utf-16le', isCertain: true }
  if (file[0] === 0xfe && file[1] === 0xff) return { encoding: 'utf-16be', isCertain: true }
  const wide = guessUtf16(file.subarray(0, PIECE))
  if (wide) return { encoding: wide, isCertain: true }
  if (isUtf8(file)) return { encoding: lineEncodedTwice(file) === undefined ? 'utf-8' : 'utf-8-twice', isCertain: true }
  if (await isMostlyUtf8(file)) return { encoding: 'utf-8', isCertain: false }
  return guessLegacyEncoding(nonAsciiLines(file, PIECE))
}

/** A line with text that was encoded twice. */
function lineEncodedTwice(file: Buffer): string | undefined {
  const lines = decoderOf('utf-8')
    .decode(nonAsciiLines(file, ENCODED_TWICE_BYTES), { stream: true })
    .split(/[\r\n]+/)
  return lines.find((line) => mended(line) !== line)
}

/** Of the lines that are not plain ASCII, the number of bytes that are looked at. */
const ENCODED_TWICE_BYTES = 1_000_000

/**
 * A decoded line of a file that is not valid Unicode; one with an error, if there is one. Or a line with text that was
 * encoded twice.
 */
export function encodingSample(file: Buffer, encoding: Encoding): string | undefined {
  if (encoding.startsWith('utf-16')) return undefined
  if (isUtf8(file)) {
    const line = lineEncodedTwice(file)
    return line === undefined ? undefined : sampleOf(line, encoding)
  }
  const text = decoderOf(encoding).decode(nonAsciiLines(file, PIECE), { stream: true })
  const lines = text.split(/[\r\n]+/)
  return around(lines.find((one) => one.includes('\ufffd')) ?? lines.find((one) => /[^\0-\x7f]/.test(one)) ?? '')
}

/** What a person sees of a line with text that was encoded twice. */
export const sampleOf = (line: string, encoding: Encoding): string =>
  around(encoding === 'utf-8-twice' ? mended(line) : line)

/** A line from a little before its first character that is not plain ASCII. */
function around(line: string): string {
  const first = line.search(/[^\0-\x7f]/)
  return line.slice(Math.max(0, first - 100), first + 100).toWellFormed()
}

const isLineEnd = (byte: number | undefined) => byte === 0x0a || byte === 0x0d

/** Lines of a file with a byte beyond ASCII, up to a number of bytes. Of a long line, the part around that byte. */
function nonAsciiLines(file: Buffer, most: number): Buffer {
  const parts: Buffer[] = []
  let length = 0
  for (let at = 0; at < file.length && length < most; at++) {
    if ((file[at] ?? 0) < 0x80) continue
    let from = at
    while (from > 0 && from > at - 200 && !isLineEnd(file[from - 1]) && (file[from - 1] ?? 0) < 0x80) from -= 1
    let to = at
    while (to < file.length && to < at + 4_000 && !isLineEnd(file[to])) to += 1
    parts.push(file.subarray(from, to), Buffer.from('\n'))
    length += to - from
    at = to
  }
  return Buffer.concat(parts)
}

/** UTF-16 without a byte order mark: of two bytes, those of separators and Latin letters have one that is zero. */
function guessUtf16(sample: Buffer): Encoding | undefined {
  const zeros = [0, 0] as [number, number]
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[(at % 2) as 0 | 1] += 1
  const many = sample.length / 20
  if (zeros[1] > many && zeros[1] > 10 * zeros[0]) return 'utf-16le'
  if (zeros[0] > many && zeros[0] > 10 * zeros[1]) return 'utf-16be'
  return undefined
}

/** The number of non-ASCII characters that is enough to recognise an encoding. */
const ENOUGH = 10_000

/** UTF-8 with a few broken characters. Text in another encoding rarely forms a valid one. */
async function isMostlyUtf8(file: Buffer): Promise<boolean> {
  let valid = 0
  let broken = 0
  for await (const text of readText(file, 'utf-8')) {
    for (const [character] of text.matchAll(/[^\0-\x7f]/gu)) {
      if (character === '\ufffd') broken += 1
      else valid += 1
    }
    if (valid + broken > ENOUGH) break
  }
  return valid > 2 * broken
}
