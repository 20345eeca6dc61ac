import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { IMPORT_BYTES_MAX } from '#contract/import.ts'
import { AppError } from '#server/http/errors.ts'
import type { App } from '#server/services.ts'

const MEGABYTE = 1_000_000

const tooLarge = () => new AppError(413, `A file can have at most ${IMPORT_BYTES_MAX / MEGABYTE} MB. Split it.`)

/** Allows a file as the body of the calls in this scope. `receiveFile` reads it once the caller is known. */
export function acceptFiles(app: App): void {
  app.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    if (Number(request.headers['content-length'] ?? 0) > IMPORT_BYTES_MAX) done(tooLarge())
    else done(null, payload)
  })
}

/** Reads the file in the body of a request, and returns it with its fingerprint. */
export async function receiveFile({ body }: FastifyRequest): Promise<{ file: Buffer; hash: string }> {
  if (!(body instanceof Readable)) {
    throw new AppError(415, 'Send the file itself, with the content type application/octet-stream')
  }
  const hash = createHash('sha256')
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > IMPORT_BYTES_MAX) throw tooLarge()
    hash.update(chunk)
    chunks.push(chunk)
  }
  return { file: Buffer.concat(chunks), hash: hash.digest('hex') }
}
