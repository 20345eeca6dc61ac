import { z } from 'zod'
import { channelKinds } from '#contract/channel-addresses.ts'
import { Channel, ChannelInput, ChannelParams, ChannelPatch, ChannelTest, NO_CHANNEL } from '#contract/channels.ts'
import { CHANNEL_TESTS_MAX } from '#contract/limits.ts'
import { isSameForAll } from '#contract/same-for-all.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { refuseUnconfirmed } from '#server/auth/sessions/confirmation.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import { countOrRefuse } from '#server/auth/sign-in/throttle.ts'
import type { App } from '#server/http/app.ts'
import { AppError, confirmFirst, invalid, notFound, tooManyAttempts } from '#server/http/errors.ts'
import { head } from '#server/http/head.ts'
import { idempotencyKeyOf, withIdempotency } from '#server/http/idempotency.ts'
import { outsideName } from '#server/sending/outside.ts'
import { getSending } from '#server/sending/store.ts'
import { PAUSED } from '#server/sending/ways-out.ts'
import type { Services } from '#server/services.ts'
import type { Message } from './message.ts'
import { createPoster, mayHaveAddress } from './post.ts'
import {
  confirmChannel,
  createChannel,
  deleteChannel,
  getChannel,
  getTarget,
  listChannels,
  lockShared,
  NO_SHARED_SEARCH,
  setSearches,
  TOO_MANY_CHANNELS,
} from './store.ts'

const tag = 'Programme'

const NOT_FOR_ALL = 'This search gives each reader other records. A channel takes only those that are the same for all'

const TESTS = { key: 'channel tests', seconds: 3_600, max: CHANNEL_TESTS_MAX }

const testMessage = (name: string, address: string): Message => [
  {
    heading: { text: `A test from Sourcebook for ${outsideName(name)}`, address: `${address}/programme/sending` },
    lines: [{ text: 'The Monday list and the searches of this channel will arrive here, at most once a day.' }],
  },
]

/** Chats that get the Monday list and shared searches. Adding one is a way out of the house. */
export function channelRoutes(managed: App, { db, settings, secret }: Services) {
  const post = createPoster(settings, managed.log)
  const one = { tag, params: ChannelParams, refusals: [notFound(NO_CHANNEL)] }

  managed.get(
    '/programme/channels',
    head({ operationId: 'listChannels', summary: 'List the channels', tag, answers: { 200: z.array(Channel) } }),
    async () => listChannels(db),
  )

  managed.post(
    '/programme/channels',
    head({
      ...{ operationId: 'createChannel', summary: 'Add a channel of Slack or Teams', tag },
      description: `The address is one that the chat shows: for Slack ${channelKinds.slack.guide}; for Teams ${channelKinds.teams.guide}`,
      ...{ audit: { action: 'channel-create', kind: 'channel' }, confirms: true },
      body: ChannelInput,
      answers: { 201: Channel },
      // It may be removed before a repeat of the request.
      refusals: [
        ...[invalid({ address: 'Enter an address of Slack' }), new AppError(409, TOO_MANY_CHANNELS)],
        notFound(NO_CHANNEL),
      ],
      isIdempotent: true,
    }),
    async (request, reply) => {
      const caller = callerOf(request)
      const { kind, address } = request.body
      if (!mayHaveAddress(settings, kind, address)) {
        throw invalid({ address: `Enter the address of ${channelKinds[kind].guide}` })
      }
      const key = idempotencyKeyOf(request, caller.id)
      const create = () =>
        db.transaction(async (tx) => {
          const added = await createChannel(tx, { ...request.body, by: caller.id, secret, now: new Date(), key })
          const after = { name: added.name, kind: added.kind }
          await recordAuditEntry(tx, {
            ...{ action: 'channel-create', by: caller, kind: 'channel', objectId: added.id, after },
          })
          return added
        })
      const channel = await withIdempotency(db, key, create, (id) => getChannel(db, id))
      return reply.code(201).send(channel)
    },
  )

  managed.patch(
    '/programme/channels/:id',
    head({
      ...{ operationId: 'updateChannel', summary: 'Choose the searches of a channel, or answer for it', ...one },
      description: 'Answering for a channel asks for a proof of identity.',
      audit: { action: 'channel-update', kind: 'channel' },
      body: ChannelPatch,
      answers: { 200: Channel },
      refusals: [...one.refusals, invalid({ searches: NO_SHARED_SEARCH }), confirmFirst()],
    }),
    async (request) =>
      db.transaction(async (tx) => {
        const caller = callerOf(request)
        const { id } = request.params
        const { searches, isConfirmed } = request.body
        const before = await getChannel(tx, id)
        if (isConfirmed) {
          refuseUnconfirmed(request)
          await confirmChannel(tx, id, caller.id)
        }
        if (searches !== undefined) {
          const found = await lockShared(tx, searches)
          if (!found.every(({ query }) => isSameForAll(Object.keys(query)))) throw invalid({ searches: NOT_FOR_ALL })
          await setSearches(tx, id, searches)
        }
        const after = await getChannel(tx, id)
        await recordAuditEntry(tx, {
          ...{ action: 'channel-update', by: caller, kind: 'channel', objectId: id },
          ...{ before: logged(before), after: logged(after) },
        })
        return after
      }),
  )

  managed.delete(
    '/programme/channels/:id',
    head({
      ...{ operationId: 'deleteChannel', summary: 'Remove a channel', ...one },
      audit: { action: 'channel-delete', kind: 'channel' },
      answers: { 204: z.null().describe('Removed') },
    }),
    async (request, reply) => {
      const { id } = request.params
      await db.transaction(async (tx) => {
        const { name, lastSentAt } = await getChannel(tx, id)
        await deleteChannel(tx, id)
        await recordAuditEntry(tx, {
          ...{ action: 'channel-delete', by: callerOf(request), kind: 'channel', objectId: id },
          before: { name, lastSentAt },
        })
      })
      return reply.code(204).send(null)
    },
  )

  managed.post(
    '/programme/channels/:id/test',
    head({
      ...{ operationId: 'testChannel', summary: 'Send a test to a channel', ...one },
      description: `At most ${CHANNEL_TESTS_MAX} an hour. Nothing of the answer but its status is kept.`,
      audit: { action: 'channel-test', kind: 'channel' },
      answers: { 200: ChannelTest },
      refusals: [...one.refusals, tooManyAttempts(3_600), new AppError(409, NOT_CONFIRMED), new AppError(409, PAUSED)],
    }),
    async (request) => {
      const { id } = request.params
      const { name, confirmedBy } = await getChannel(db, id)
      if (confirmedBy === null) throw new AppError(409, NOT_CONFIRMED)
      if ((await getSending(db, settings)).isPaused) throw new AppError(409, PAUSED)
      const target = await getTarget(db, id, secret)
      await countOrRefuse(db, TESTS)
      const status = await post(target, testMessage(name, settings.address))
      await recordAuditEntry(db, {
        ...{ action: 'channel-test', by: callerOf(request), kind: 'channel', objectId: id, after: { name } },
      })
      return { status }
    },
  )
}

const NOT_CONFIRMED = 'The manager who answered for this channel is none any more. Confirm the channel first.'

const logged = ({ name, searches, confirmedBy }: Channel) => ({
  ...{ name, searches: searches.map((search) => search.name) },
  confirmedBy: confirmedBy?.name ?? null,
})
