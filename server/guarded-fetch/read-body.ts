import type { IncomingMessage } from 'node:http'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The whole decoded body. Throws as soon as the encoded or the decoded body is longer than `maxBytes`. */
export function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return pipeline(response, atMost(maxBytes), decoderOf(response), atMost(maxBytes), buffer)
}

/** Chained encodings let small responses grow without limit. Real sites use only one. */
function decoderOf(response: IncomingMessage) {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  switch (encoding) {
    case '':
    case 'identity':
      return new PassThrough()
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'deflate':
      return createInflate()
    default:
      throw new Error('The body has an unknown encoding, or more than one')
  }
}

const atMost = (max: number) =>
  async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > max) throw new Error(`The body is longer than ${max} bytes`)
      yield chunk
    }
  }
