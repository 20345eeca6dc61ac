import type { FastifyInstance } from 'fastify'
import sjson from 'secure-json-parse'
import { AppError, bodyRefusals } from './errors.ts'
import { addRefusals, isUnsafe } from './head.ts'

const unreadable = () => new AppError(400, 'The request body is not valid JSON')

/** Accepts only JSON: valid UTF-8, without a byte order mark or keys that change prototypes. */
export function readJson(app: FastifyInstance) {
  const refusals = [unreadable(), ...bodyRefusals()]
  app.addHook('onRoute', (route) => {
    if (isUnsafe(String(route.method))) addRefusals(route, ...refusals)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => {
    // A call without a body may still name its content type.
    if (body.length === 0) return undefined
    try {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
      // The parser would skip a byte order mark, which is invalid in JSON.
      if (text.startsWith('\ufeff')) throw unreadable()
      return sjson.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' })
    } catch {
      throw unreadable()
    }
  })
}
