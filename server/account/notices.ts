import { and, desc, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { AccountNotice, NoticesRead } from '#contract/account.ts'
import { actionsThat, entryOf } from '#contract/audit-actions.ts'
import { callerOf, sessionOf } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, auditLog, sessions } from '#server/db/schema.ts'
import { shownName } from '#server/db/sql.ts'
import type { App } from '#server/http/app.ts'
import { head } from '#server/http/head.ts'
import type { Services } from '#server/services.ts'

const tag = 'Account'
const SHOWN_MAX = 20

/** The actions that the owner of an account reads, where another has done them. */
const NOTICED = actionsThat(({ notice }) => notice)
const TOLD_TO_ACTOR = actionsThat(({ isToldToActor }) => isToldToActor)

/** What a manager or the operator changed of the caller's account: who, what and when. */
export function noticeRoutes(app: App, { db }: Services) {
  app.get(
    '/account/notices',
    head({
      ...{ operationId: 'listAccountNotices', summary: "List unread changes of others to the caller's account", tag },
      answers: { 200: z.array(AccountNotice) },
    }),
    async (request) => listNotices(db, callerOf(request).id, sessionOf(request).id),
  )

  app.post(
    '/account/notices/seen',
    head({
      ...{ operationId: 'readAccountNotices', summary: 'Mark changes as read until a time', tag },
      audit: { action: 'account-notices', kind: 'account', isWritten: true },
      body: NoticesRead,
      answers: { 204: z.null().describe('They are not listed again') },
    }),
    async (request, reply) => {
      const until = sql`least(now(), ${request.body.until}::timestamptz)`
      await db
        .update(accounts)
        .set({ noticesSeenAt: sql`greatest(${accounts.noticesSeenAt}, ${until})` })
        .where(eq(accounts.id, callerOf(request).id))
      return reply.code(204).send(null)
    },
  )
}

/** What the account itself has done before this sign-in, which another person may have done. */
const isBeforeSignIn = (sessionId: string) =>
  and(
    inArray(auditLog.action, TOLD_TO_ACTOR),
    sql`${auditLog.at} < (select ${sessions.createdAt} from ${sessions} where ${sessions.id} = ${sessionId})`,
  )

async function listNotices(db: Database, accountId: string, sessionId: string): Promise<AccountNotice[]> {
  const [account] = await db.select({ seenAt: accounts.noticesSeenAt }).from(accounts).where(eq(accounts.id, accountId))
  if (account === undefined) return []
  const rows = await db
    .select({
      id: auditLog.id,
      action: auditLog.action,
      at: auditLog.at,
      by: sql<string | null>`${shownName()}`,
    })
    .from(auditLog)
    .leftJoin(accounts, eq(accounts.id, auditLog.accountId))
    .where(
      and(
        eq(auditLog.objectId, accountId),
        gt(auditLog.at, account.seenAt),
        inArray(auditLog.action, NOTICED),
        eq(auditLog.result, 'done'),
        or(isNull(auditLog.accountId), ne(auditLog.accountId, accountId), isBeforeSignIn(sessionId)),
      ),
    )
    .orderBy(desc(auditLog.at), desc(auditLog.id))
    .limit(SHOWN_MAX)
  return rows.flatMap(({ action, at, ...row }) => {
    const what = entryOf(action)?.notice
    return what === undefined ? [] : [{ ...row, what, at: at.toISOString() }]
  })
}
