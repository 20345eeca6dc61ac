import { z } from 'zod'
import { WEBHOOK_TESTS_MAX } from '#contract/limits.ts'
import {
  NewWebhook,
  NO_WEBHOOK,
  Webhook,
  WebhookInput,
  WebhookParams,
  WebhookPatch,
  WebhookTest,
} from '#contract/webhooks.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { countOrRefuse } from '#server/auth/sign-in/throttle.ts'
import { endOfFeed } from '#server/feed/feed.ts'
import type { App } from '#server/http/app.ts'
import { AppError, invalid, notFound, tooManyAttempts } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { getSending } from '#server/sending/store.ts'
import { PAUSED } from '#server/sending/ways-out.ts'
import type { Services } from '#server/services.ts'
import { createRinger, mayHaveAddress } from './ring.ts'
import {
  confirmWebhook,
  createWebhook,
  deleteWebhook,
  getNewWebhook,
  getTarget,
  getWebhook,
  listWebhooks,
  TOO_MANY_WEBHOOKS,
} from './store.ts'

const tag = 'Programme'

const ADDRESS_RULE = 'Enter an https address that everyone can reach, such as https://example.com/hooks/…'
const NOT_CONFIRMED = 'The manager who answered for this webhook is none any more. Confirm the webhook first.'

const TESTS = { key: 'webhook tests', seconds: 3_600, max: WEBHOOK_TESTS_MAX }

/** Addresses that are rung when there is something new in the feed. Adding one is a way out of the house. */
export function webhookRoutes(managed: App, { db, settings, secret }: Services) {
  const send = createRinger(settings, managed.log)
  const one = { tag, params: WebhookParams, refusals: [notFound(NO_WEBHOOK)] }

  managed.get(
    '/programme/webhooks',
    head({ operationId: 'listWebhooks', summary: 'List the webhooks', tag, answers: { 200: z.array(Webhook) } }),
    async () => listWebhooks(db),
  )

  managed.post(
    '/programme/webhooks',
    head({
      ...{ operationId: 'createWebhook', summary: 'Add a webhook, which is rung when the feed has something new', tag },
      description:
        'A ring is a POST, at most one every two seconds, signed as Standard Webhooks says by the `secret` of the answer. Its body is `{ type: "feed.changed", timestamp, data: { cursor } }`, and what is new comes after that cursor of the feed. It follows no redirect and reads no answer but the status. One that is not answered by 200 to 299 within ten seconds is tried again, with pauses that grow up to an hour; after three days the webhook is off.',
      ...{ audit: { action: 'webhook-create', kind: 'webhook' }, confirms: true },
      body: WebhookInput,
      answers: { 201: NewWebhook },
      // It may be removed before a repeat of the request.
      refusals: [invalid({ address: ADDRESS_RULE }), new AppError(409, TOO_MANY_WEBHOOKS), notFound(NO_WEBHOOK)],
      isIdempotent: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { address } = request.body
      if (!mayHaveAddress(settings, address)) throw invalid({ address: ADDRESS_RULE })
      const key = idempotencyKeyOf(request, caller.id)
      const create = () =>
        db.transaction(async (tx) => {
          const added = await createWebhook(tx, { address, by: caller.id, secret, key })
          await recordAuditEntry(tx, {
            ...{ action: 'webhook-create', by: caller, kind: 'webhook', objectId: added.id },
            after: { name: added.address },
          })
          return added
        })
      return reply.code(201).send(await withIdempotency(db, key, create, (id) => getNewWebhook(db, id, secret)))
    },
  )

  managed.patch(
    '/programme/webhooks/:id',
    head({
      ...{ operationId: 'confirmWebhook', summary: 'Answer for a webhook, and turn it on again', ...one },
      ...{ audit: { action: 'webhook-update', kind: 'webhook' }, confirms: true },
      body: WebhookPatch,
      answers: { 200: Webhook },
    }),
    async (request) =>
      db.transaction(async (tx) => {
        const by = callerOf(request)
        const { id } = request.params
        const before = await getWebhook(tx, id)
        await confirmWebhook(tx, id, by.id)
        const after = await getWebhook(tx, id)
        await recordAuditEntry(tx, {
          ...{ action: 'webhook-update', by, kind: 'webhook', objectId: id },
          ...{ before: logged(before), after: logged(after) },
        })
        return after
      }),
  )

  managed.delete(
    '/programme/webhooks/:id',
    head({
      ...{ operationId: 'deleteWebhook', summary: 'Remove a webhook', ...one },
      audit: { action: 'webhook-delete', kind: 'webhook' },
      answers: { 204: z.null().describe('Removed') },
    }),
    async (request, reply) => {
      const { id } = request.params
      await db.transaction(async (tx) => {
        const { address, lastSentAt } = await getWebhook(tx, id)
        await deleteWebhook(tx, id)
        await recordAuditEntry(tx, {
          ...{ action: 'webhook-delete', by: callerOf(request), kind: 'webhook', objectId: id },
          before: { name: address, lastSentAt },
        })
      })
      return reply.code(204).send(null)
    },
  )

  managed.post(
    '/programme/webhooks/:id/test',
    head({
      ...{ operationId: 'testWebhook', summary: 'Ring a webhook once', ...one },
      description: `At most ${WEBHOOK_TESTS_MAX} an hour. Nothing of the answer but its status is kept.`,
      audit: { action: 'webhook-test', kind: 'webhook' },
      answers: { 200: WebhookTest },
      refusals: [...one.refusals, tooManyAttempts(3_600), new AppError(409, NOT_CONFIRMED), new AppError(409, PAUSED)],
    }),
    async (request) => {
      const { id } = request.params
      const { address, confirmedBy } = await getWebhook(db, id)
      if (confirmedBy === null) throw new AppError(409, NOT_CONFIRMED)
      if ((await getSending(db, settings)).isPaused) throw new AppError(409, PAUSED)
      const target = await getTarget(db, id, secret)
      await countOrRefuse(db, TESTS)
      const status = await send(target, await endOfFeed(db), new Date())
      await recordAuditEntry(db, {
        ...{ action: 'webhook-test', by: callerOf(request), kind: 'webhook', objectId: id, after: { name: address } },
      })
      return { status }
    },
  )
}

const logged = ({ address, confirmedBy, offAt }: Webhook) => ({
  ...{ name: address, confirmedBy: confirmedBy?.name ?? null, isOff: offAt !== null },
})
