import { openPostgres } from '#server/db/postgres.ts'
import { kinds } from '#server/kinds.ts'
import { createMailer } from '#server/mail/mailer.ts'
import { readSettings } from '#server/ops/settings.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { sendDigests } from '../send.ts'

// A process that sends the mails of simulated days, and prints each time that it has done. `kill -9` ends it at any point.

const {
  url = '',
  smtpUrl = '',
  secret = '',
  times = [],
} = JSON.parse(process.argv[2] ?? '{}') as {
  url?: string
  smtpUrl?: string
  secret?: string
  times?: string[]
}
const { db, close } = openPostgres({ url, connections: 4, statementTimeoutMs: 10_000, log: quietLog })
const mailer = createMailer({ smtpUrl, from: 'Sourcebook <no-reply@sourcebook.test>' }, quietLog)
const settings = readSettings({ PUBLIC_URL: 'https://sourcebook.test', ENRICHMENT_PROVIDERS: 'none' })
process.stdout.write('ready\n')
for (const time of times) {
  await sendDigests(db, mailer, new Date(time), { settings, secret, kinds, log: quietLog })
  process.stdout.write(`${time}\n`)
}
mailer.close()
await close()
