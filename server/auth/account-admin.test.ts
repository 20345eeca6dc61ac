import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLog } from '#server/db/schema.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount } from '#server/test/factories.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import * as admin from './account-admin.ts'
import { getAccount, type KnownAccount } from './store.ts'

// The operator's commands test the same actions without an account (ops/cli/commands/accounts.test.ts).

let test: TestApp
let manager: { id: string; email: string; ip: string; requestId: string }
beforeAll(async () => {
  test = await startTestApp()
  const { id, email } = await makeAccount(test.db)
  manager = { id, email, ip: '192.0.2.1', requestId: 'r1' }
})
afterAll(() => test.close())

const entryOf = async (objectId: string) => {
  const [entry] = await test.db.select().from(auditLog).where(eq(auditLog.objectId, objectId))
  return entry
}

const byManager = () => ({
  accountId: manager.id,
  accountEmail: manager.email,
  ip: manager.ip,
  requestId: manager.requestId,
})

describe('An action on an account names the manager who did it in the audit log', () => {
  it.each([
    ['disable', admin.disable],
    ['enable', admin.enable],
    ['reset', admin.reset],
    ['end-sessions', admin.signOut],
    ['two-factor-off', admin.switchTwoFactorOff],
    ['verify', admin.verify],
    ['approve', admin.approve],
    ['make-manager', admin.promote],
  ])('%s', async (name, act) => {
    const { id, email } = await makeAccount(test.db)
    await act(test.db, (await getAccount(test.db, id)) as KnownAccount, manager)
    expect(await entryOf(id)).toMatchObject({ ...byManager(), action: `account-${name}`, detail: { email } })
  })

  it('allow', async () => {
    const { id, email } = await makeAccount(test.db, { email: 'gone@mit.edu' })
    await test.db.execute(`update accounts set disabled_at = now() where id = '${id}'`)
    await admin.allow(test.db, 'gone+1@mit.edu', manager)
    expect(await entryOf(id)).toMatchObject({ ...byManager(), action: 'account-allow', detail: { email } })
  })

  it('invite', async () => {
    await admin.invite(test.db, readSettings({}), manager, 'Guest@mit.edu')
    const [entry] = await test.db.select().from(auditLog).where(eq(auditLog.action, 'account-invite'))
    expect(entry).toMatchObject({ ...byManager(), detail: { email: 'guest@mit.edu' } })
  })
})
