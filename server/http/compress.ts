import { pipeline, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from './app.ts'

/** Less than this fits into one packet uncompressed. */
const WORTH_FROM = 1400

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** For each encoding, the quality that compresses a list of fifty cards to a tenth in a third of a millisecond. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 4 }

const encodings = {
  br: (text: string) => asBrotli(text, BROTLI),
  gzip: (text: string) => asGzip(text, GZIP),
}

const streamEncodings = { br: () => createBrotliCompress(BROTLI), gzip: () => createGzip(GZIP) }

/**
 * Compresses text for clients that accept it: responses of the API and the page. Files are compressed in the build, and
 * the live stream does not pass here. No response combines a secret with text of its reader (the anti-forgery token is
 * in a cookie), so its length reveals nothing.
 */
export function compressAnswers(app: App) {
  app.addHook('onSend', (request, reply, answer, done) => {
    if (typeof answer !== 'string' || answer.length < WORTH_FROM) return done()
    const encoding = encodingOf(request, reply)
    if (encoding === undefined) return done()
    reply.header('content-encoding', encoding).removeHeader('content-length')
    encodings[encoding](answer).then((encoded) => done(null, encoded), done)
  })
}

/** The same for streamed text. An error of the source or of the client ends both. */
export function compressStream(request: FastifyRequest, reply: FastifyReply, text: Readable): Readable {
  const encoding = encodingOf(request, reply)
  if (encoding === undefined) return text
  reply.header('content-encoding', encoding)
  return pipeline(text, streamEncodings[encoding](), () => {})
}

/** The best encoding that the client accepts. The response varies by it in any case. */
function encodingOf(request: FastifyRequest, reply: FastifyReply) {
  reply.header('vary', 'accept-encoding')
  const accepted = acceptedOf(request.headers['accept-encoding'])
  return (['br', 'gzip'] as const).find((name) => accepted.has(name))
}

/** The names in `gzip, br;q=0.5`, without those refused by `;q=0`. */
const acceptedOf = (header: string | string[] = '') =>
  new Set(
    String(header)
      .toLowerCase()
      .split(',')
      .map((part) => part.split(';').map((word) => word.trim()))
      .filter(([, quality]) => !/^q=0(\.0*)?$/.test(quality ?? ''))
      .map(([name]) => name),
  )
