import { IMPORT_BYTES_MAX } from '#contract/import.ts'
import type { App } from '#server/services.ts'
import { tooLarge } from './receive.ts'

/** Allows a file as the body of the calls in this scope. `receiveUpload` reads it once the caller is known. */
export function acceptFiles(app: App): void {
  app.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    if (Number(request.headers['content-length'] ?? 0) > IMPORT_BYTES_MAX) done(tooLarge())
    else done(null, payload)
  })
}
