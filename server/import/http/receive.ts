import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { IMPORT_BYTES_MAX } from '#contract/import.ts'
import { AppError } from '#server/http/errors.ts'

const MEGABYTE = 1_000_000
/** A body of which nothing arrives for this long has been given up. */
const SILENT_MS = 30_000

const tooLarge = () => new AppError(413, `A file can have at most ${IMPORT_BYTES_MAX / MEGABYTE} MB. Split it.`)
const stalled = () => new AppError(408, 'The upload has stopped. Send the file again.')
const replaced = () => new AppError(409, 'You have started another upload, which has ended this one')
const cutOff = () => new AppError(400, 'The upload was cut off. Send the file again.')

const notAFile = () => new AppError(415, 'Send the file itself, with the content type application/octet-stream')

/** What the body of an upload may be refused for. */
export const bodyFailures = () => [tooLarge(), stalled(), replaced(), cutOff(), notAFile()]

export type Received = { bytes: number; hash: string }

export type Uploads = ReturnType<typeof createUploads>

/** Receives files. A second upload of an account ends its first one. */
export function createUploads({ silentMs = SILENT_MS }: { silentMs?: number }) {
  const running = new Map<string, (error: AppError) => void>()

  /** Writes the body of a request into a file as it arrives. Returns its size and fingerprint. */
  return async function receive(
    { body }: FastifyRequest,
    reply: FastifyReply,
    accountId: string,
    path: string,
  ): Promise<Received> {
    if (!(body instanceof Readable)) throw notAFile()
    running.get(accountId)?.(replaced())
    let end: (error: AppError) => void = () => {}
    const ended = new Promise<never>((_resolve, reject) => {
      end = reject
    })
    ended.catch(() => undefined)
    running.set(accountId, end)
    const silence = setTimeout(() => end(stalled()), silentMs)
    const file = await open(path, 'w', 0o600)
    const hash = createHash('sha256')
    let bytes = 0
    // Destroying the body would close the connection before the response.
    const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
    try {
      for (;;) {
        const { done, value } = await Promise.race([chunks.next(), ended])
        if (done) return { bytes, hash: hash.digest('hex') }
        silence.refresh()
        bytes += value.length
        if (bytes > IMPORT_BYTES_MAX) throw tooLarge()
        hash.update(value)
        await file.write(value)
      }
    } catch (error) {
      // The rest of the body is discarded, and nothing else can come over this connection.
      body.resume()
      reply.header('connection', 'close')
      throw body.errored ? cutOff() : error
    } finally {
      clearTimeout(silence)
      await file.close()
      if (running.get(accountId) === end) running.delete(accountId)
    }
  }
}

/** Allows a file as the body of the calls in this scope. `createUploads` reads it once the caller is known. */
export function acceptFiles(app: FastifyInstance): void {
  app.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    if (Number(request.headers['content-length'] ?? 0) > IMPORT_BYTES_MAX) done(tooLarge())
    else done(null, payload)
  })
}
