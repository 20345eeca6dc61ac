import { z } from 'zod'
import { InboxCount, InboxCountQuery, InboxLine, InboxMark, InboxMarkParams, InboxQuery } from '#contract/inbox.ts'
import { callerOf } from '#server/auth/sessions/session.ts'
import type { App } from '#server/http/app.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import { ANY_NUMBER, head } from '#server/http/head.ts'
import { getHorizon, SEEN_UNTIL, sendHorizon } from '#server/records/horizon.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { pageRequest, sendPage } from '#server/records/paging.ts'
import type { Services } from '#server/services.ts'
import { namesOnPage } from './kind.ts'
import { presentLines } from './present.ts'
import { countUnread, listLines, markLines, newestLine } from './store.ts'

const tag = 'Overview'

const SEND_UNTIL = 'Send X-Seen-Until as the answer that showed the lines had it'

/** What asks something of the caller, and news of what the caller follows. */
export function inboxRoutes(app: App, { db, secret }: Services, kinds: readonly RecordKind[]) {
  const sources = { db, secret, kinds, names: namesOnPage }

  app.get(
    '/inbox',
    head({
      ...{ operationId: 'listInbox', summary: "List the lines of the caller's inbox, newest first", tag },
      description: `The header \`${SEEN_UNTIL}\` has until when what this shows is seen, to be sent back.`,
      query: InboxQuery,
      answers: { 200: z.array(InboxLine) },
      isPaged: true,
    }),
    async (request, reply) => {
      const reader = { caller: callerOf(request), timeZone: request.query.timeZone ?? 'UTC' }
      sendHorizon(reply, await getHorizon(db))
      const rows = await listLines(sources, reader, request.query, pageRequest(newestLine, request))
      const shown = sendPage(newestLine, request, reply, { rows })
      return presentLines(shown, { ...sources, reader })
    },
  )

  app.get(
    '/inbox/count',
    head({
      ...{
        operationId: 'countInbox',
        summary: 'Count unread lines for the caller, and say whether there is news',
        tag,
      },
      query: InboxCountQuery,
      answers: { 200: InboxCount },
    }),
    async (request) => {
      const reader = { caller: callerOf(request), timeZone: request.query.timeZone ?? 'UTC' }
      const [you, news] = await Promise.all([
        countUnread(sources, reader, 'you'),
        countUnread(sources, reader, 'news', 1),
      ])
      return { you, news: news > 0 }
    },
  )

  app.post(
    '/inbox/:mark',
    head({
      ...{ operationId: 'markInbox', summary: 'Mark lines as read, unread or done, or open them again', tag },
      description:
        'Of a record, all its lines. With `until`, all lines until then; `unread` and `reopen` take back what one such call did.',
      audit: { action: 'mark-inbox' },
      params: InboxMarkParams,
      body: InboxMark,
      takesHorizon: true,
      rows: ({ body }) => body.keys?.length ?? (body.record ? 1 : ANY_NUMBER()),
      answers: { 204: z.null().describe('Marked') },
      refusals: [notFound('There is nothing at this address')],
    }),
    async (request, reply) => {
      const { timeZone = 'UTC', ...chosen } = request.body
      const reader = { caller: callerOf(request), timeZone }
      const { mark } = request.params
      const sent = chosen.until ?? (request.headers as Record<string, string | undefined>)[SEEN_UNTIL]
      if (sent === undefined && (mark === 'read' || mark === 'done')) throw invalid({ [SEEN_UNTIL]: SEND_UNTIL })
      await markLines(sources, reader, mark, { ...chosen, until: sent ?? new Date().toISOString() })
      return reply.code(204).send(null)
    },
  )
}
