import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildApp } from '#server/app.ts'
import { createToken } from '#server/auth/links/one-time-tokens.ts'
import { rowsOf } from '#server/db/database.ts'
import { readSettings } from '#server/ops/settings.ts'
import { getSending } from '#server/sending/store.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { startTestApp, type TestApp, TestClient } from '#server/test/test-app.ts'
import { openBareDatabase } from '#server/test/test-database.ts'
import { ACCESS_TABLES } from './tables.ts'
import { restore } from './test/restore.ts'
import { writeBackup } from './write.ts'

const EMAIL = 'ada@mit.edu'

let test: TestApp
let folder: string
let file: string
let browser: TestClient
let link: string
beforeAll(async () => {
  test = await startTestApp()
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-access-'))
  file = join(folder, 'whole.backup')
  browser = test.visitor()
  const { status } = await browser.post('/api/auth/register', { email: EMAIL, password: PASSWORD, name: 'Ada' })
  expect(status).toBe(201)
  const [account] = await rowsOf<{ id: string }>(test.db, sql`select id from accounts`)
  link = await createToken(test.db, 'operator_reset', account?.id as string, 3600)
  await writeBackup(test.database, file)
  // Since the backup, the person has signed out and the link has been used.
})
afterAll(async () => {
  await test.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Starts the product on the restored backup, and uses the session and the link of the backup there. */
async function restored(options: { keepsSessions?: boolean }) {
  const place = await openBareDatabase()
  await restore(place, file, options)
  const settings = readSettings({ ENRICHMENT_PROVIDERS: 'none' })
  const app = await buildApp({ database: place, settings, log: quietLog })
  onTestFinished(async () => {
    await app.close()
    await place.close()
  })
  const thief = new TestClient(app)
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
  const session = (await thief.get('/api/auth/me')).status
  const stranger = new TestClient(app)
  const reset = await stranger.post('/api/auth/reset/confirm', { token: link, password: 'another long password' })
  return { session, reset: reset.status, app }
}

describe('A restored backup', { timeout: 120_000 }, () => {
  it('ends the sessions and links of the backup, and keeps accounts and passwords', { tags: 'slow' }, async () => {
    const { session, reset, app } = await restored({})
    expect([session, reset]).toEqual([401, 400])
    const { status } = await new TestClient(app).post('/api/auth/login', { email: EMAIL, password: PASSWORD })
    expect(status).toBe(200)
  })

  it('keeps them on request, as for a move to another database', { tags: 'slow' }, async () => {
    const { session, reset } = await restored({ keepsSessions: true })
    expect([session, reset]).toEqual([200, 204])
  })

  it.each([[{}], [{ keepsSessions: true }]])(
    'pauses all sending, whatever it keeps (%o)',
    {
      tags: 'slow',
    },
    async (options) => {
      const place = await openBareDatabase()
      onTestFinished(() => place.close())
      await restore(place, file, options)
      expect(await getSending(place.db, { isSendingOff: false })).toMatchObject({ isPaused: true, isRestored: true })
    },
  )

  it('covers every table with rows that grant access', async () => {
    const named = await rowsOf<{ name: string }>(
      test.db,
      sql`select distinct table_name::text as name from information_schema.columns
        where table_schema = 'public' and column_name ~ '(^|_)(token|hash)$' order by 1`,
    )
    // Recovery codes work only together with a password. The others have keyed hashes of addresses.
    // Access tokens end with their hashes, and keep their rows.
    const others = ['access_tokens', 'accounts', 'do_not_keep', 'overrules', 'recovery_codes']
    expect(named.map(({ name }) => name)).toEqual([...ACCESS_TABLES, ...others].sort())
  })
})
