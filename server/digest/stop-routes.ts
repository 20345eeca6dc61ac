import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import type { FastifyReply } from 'fastify'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import type { Database } from '#server/db/database.ts'
import { accounts } from '#server/db/schema.ts'
import type { App } from '#server/http/app.ts'
import { contentPolicy } from '#server/http/headers.ts'
import type { Services } from '#server/services.ts'
import { stopPage, stoppedPage, unknownPage } from './stop-page.ts'
import { stopDigest } from './store.ts'
import { accountOfStop } from './tokens.ts'

type Request = { params: { token: string } }

/**
 * What mail providers and people open to stop the mail of an account, with the token of a mail alone: outside the API, so without
 * session, cookie and anti-forgery token. Only the POST changes anything.
 */
export async function stopRoutes(app: App, { db, secret }: Services) {
  const accountIn = ({ params }: Request) => accountOfStop(secret, params.token)

  await app.register(async (scope: App) => {
    // Providers send a form, and others anything. The body says nothing that the address does not.
    scope.addHook('onRequest', (request, _reply, done) => {
      // A malformed one would be refused.
      delete request.raw.headers['content-type']
      done()
    })
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => {
      body.resume()
      body.on('end', () => done(null, undefined))
      body.on('error', done)
    })
    const hidden = { schema: { hide: true } }

    scope.get<{ Params: Request['params'] }>('/stop/:token', hidden, (request, reply) =>
      accountIn(request) === undefined ? sendPage(reply.code(404), unknownPage) : sendPage(reply, stopPage),
    )

    scope.post<{ Params: Request['params'] }>('/stop/:token', hidden, async (request, reply) => {
      const publicId = accountIn(request)
      if (publicId === undefined) return sendPage(reply.code(404), unknownPage)
      await stop(db, publicId)
      return sendPage(reply, stoppedPage)
    })
  })
}

/** Stopping twice is the same as once. */
const stop = (db: Database, publicId: string) =>
  db.transaction(async (tx) => {
    const [account] = await tx.select({ id: accounts.id }).from(accounts).where(eq(accounts.publicId, publicId))
    if (account === undefined || !(await stopDigest(tx, account.id))) return
    // Its owner reads it at the next sign-in.
    await recordAuditEntry(tx, { action: 'stop-digest', kind: 'account', objectId: account.id })
  })

/** One nonce per answer, for its style. */
function sendPage(reply: FastifyReply, page: (nonce: string) => string) {
  const nonce = randomBytes(16).toString('base64')
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .header('content-security-policy', contentPolicy(`'nonce-${nonce}'`))
    .send(page(nonce))
}
