import { Parser } from 'htmlparser2'
import { notReadable, UnreadableFile } from './unreadable-file.ts'

export type Attributes = Record<string, string>

type Handlers = {
  open?: (tag: string, attributes: Attributes) => void
  text?: (text: string) => void
  close?: (tag: string) => void
}

/** More than this without a tag or text is held in memory by the parser, and occurs in no workbook. */
const SILENCE_MAX = 5_000_000

/** Workbooks nest a dozen tags. The parser needs time by the square of the depth. */
const DEPTH_MAX = 64

/**
 * Reads XML a piece at a time, and yields after each piece. Tags come without the prefix of their namespace. Entities
 * of a document type are not expanded.
 */
export async function* readXml(pieces: AsyncIterable<string>, handlers: Handlers): AsyncGenerator<void> {
  let silence = 0
  let depth = 0
  const parser = new Parser(
    {
      onopentag: (tag, attributes) => {
        silence = 0
        depth += 1
        if (depth > DEPTH_MAX) throw notReadable()
        handlers.open?.(local(tag), attributes)
      },
      ontext: (text) => {
        silence = 0
        handlers.text?.(text)
      },
      onclosetag: (tag) => {
        silence = 0
        depth -= 1
        handlers.close?.(local(tag))
      },
    },
    { xmlMode: true },
  )
  for await (const piece of pieces) {
    silence += piece.length
    parser.write(piece)
    if (silence > SILENCE_MAX) throw new UnreadableFile('This file is damaged. Save it again as XLSX or CSV.')
    yield
  }
  parser.end()
  yield
}

const local = (tag: string) => tag.slice(tag.indexOf(':') + 1)
