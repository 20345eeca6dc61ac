import { eq } from 'drizzle-orm'
import { authSecret } from '#server/auth/sessions/secret.ts'
import { digests } from '#server/db/schema.ts'
import { type Reader, readerOf } from '#server/inbox/test/world.ts'
import { kinds } from '#server/kinds.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { type MailServer, openMailServer, type ReceivedMail } from '#server/test/mail-server.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { sendDigests } from '../send.ts'

export const ADDRESS = 'https://sourcebook.test'
const settings = { address: ADDRESS, isHttps: true, isSendingOff: false }

export type MailWorld = { test: TestApp; mails: MailServer; close: () => Promise<void> }

export async function openMailWorld(): Promise<MailWorld> {
  const mails = await openMailServer()
  const test = await startTestApp({ SMTP_URL: mails.url })
  return {
    test,
    mails,
    close: async () => {
      await test.close()
      await mails.close()
    },
  }
}

/** Sends what is due at a time. */
export async function sendAt({ test, mails }: MailWorld, now: string, overrides: Partial<typeof settings> = {}) {
  const mailer = createMailer({ smtpUrl: mails.url, from: 'Sourcebook <no-reply@sourcebook.test>' }, quietLog)
  const options = { secret: await authSecret(test.db, undefined), kinds, log: quietLog }
  const sent = await sendDigests(test.db, mailer, new Date(now), {
    ...options,
    settings: { ...settings, ...overrides },
  })
  mailer.close()
  return sent
}

/** A fellow who has chosen mail, each day at 8:00 UTC, from 2031 on. */
export async function subscriber(
  world: MailWorld,
  overrides: Parameters<typeof readerOf>[1] = {},
  chosen: Partial<typeof digests.$inferInsert> = {},
): Promise<Reader> {
  const reader = await readerOf(world.test, { name: 'Tom', emailVerified: true, ...overrides })
  await world.test.db.insert(digests).values({
    ...{ accountId: reader.account.id, rhythm: 'daily', hour: 8, timeZone: 'UTC' },
    nextAt: new Date('2031-01-01T08:00:00Z'),
    ...chosen,
  })
  return reader
}

/** No mail of another test is due any more. */
export const endOthers = ({ test }: MailWorld) => test.db.update(digests).set({ rhythm: 'off', nextAt: null })

export const digestOf = async ({ test }: MailWorld, { account }: Reader) =>
  (await test.db.select().from(digests).where(eq(digests.accountId, account.id)))[0]

export const headerOf = ({ headers }: ReceivedMail, name: string) =>
  new RegExp(`^${name}: (.+)$`, 'im').exec(headers)?.[1]?.trim()
