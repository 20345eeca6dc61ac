import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import type { CsvDialect } from '#contract/import.ts'

type Encoding = CsvDialect['encoding']

const PIECE = 65_536

/** The text of a file in pieces. Yields to other requests between two pieces. */
export async function* readText(file: Buffer, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for (let at = 0; at < file.length; at += PIECE) {
    // Without `stream`, Node 20 decodes Windows-1252 as Latin-1.
    yield decoder.decode(file.subarray(at, at + PIECE), { stream: true })
    await setImmediate()
  }
  yield decoder.decode()
}

/** The beginning of a file as text. */
export const textSample = (file: Buffer, encoding: Encoding) =>
  new TextDecoder(encoding).decode(file.subarray(0, 2 * PIECE), { stream: true })

/** True when the encoding of a file is certain, so that U+FFFD in it is part of the text. */
export const isWellEncoded = (file: Buffer, encoding: Encoding) => encoding === 'utf-8' && isUtf8(file)

export async function guessEncoding(file: Buffer): Promise<Encoding> {
  if (file[0] === 0xff && file[1] === 0xfe) return 'utf-16le'
  if (file[0] === 0xfe && file[1] === 0xff) return 'utf-16be'
  const wide = guessUtf16(file.subarray(0, PIECE))
  if (wide) return wide
  if (isUtf8(file) || (await isMostlyUtf8(file))) return 'utf-8'
  return 'windows-1252'
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
