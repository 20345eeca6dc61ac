import { asc, eq, gt, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLog, deniedRequests, notes } from '#server/db/schema.ts'
import { makeAccount, makeCompany, makeFounder, makeNote, PASSWORD } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { deleteOldAddresses, recordAuditEntry } from './entries.ts'
import { searchAuditLog } from './search.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const fellow = (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides)

/** The entries that `work` writes, oldest first. */
async function writtenDuring(act: () => Promise<unknown>) {
  const [{ last } = { last: '' }] = await test.db.select({ last: sql<string>`max(id::text)` }).from(auditLog)
  await act()
  const rows = await test.db
    .select()
    .from(auditLog)
    .where(last ? gt(auditLog.id, last) : undefined)
    .orderBy(asc(auditLog.at), asc(auditLog.id))
  return rows.map(({ id, at, exportedCount, isActivity, tokenId, transactionId, ...row }) => {
    expect(tokenId).toBeNull()
    if (isActivity) expect(['update', 'update-pipeline', 'merge']).toContain(row.action)
    expect([id, exportedCount, Number(transactionId) > 0]).toEqual([expect.stringMatching(UUID), null, true])
    expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000)
    return row
  })
}

/** The columns with the actor, the network address and the request. */
const by = (account: { id: string; email: string }) => ({
  accountId: account.id,
  accountEmail: account.email,
  ip: '127.0.0.1',
  requestId: expect.stringMatching(/^[0-9a-f]{4}(-[0-9a-f]{4}){2}$/),
})
const nothingMore = { before: null, after: null, detail: null }

const KINDS = [
  {
    kind: 'founder',
    path: '/api/founders',
    input: { name: 'Grace', linkedIn: 'https://www.linkedin.com/in/grace', notes: 'Met.', rating: 8 },
    make: makeFounder,
  },
  {
    kind: 'company',
    path: '/api/companies',
    input: { name: 'Orchard', website: 'https://orchard.example', description: 'Apples.', notes: 'Met.', rating: 8 },
    make: makeCompany,
  },
] as const

describe.each(KINDS)('A change of a $kind writes one audit entry', ({ kind, path, input, make }) => {
  const onRecord = (id: string) => ({ kind, objectId: id, result: 'done', detail: null })

  it('creating it: all fields as new values', async () => {
    const { account, client } = await fellow()
    let id = ''
    const rows = await writtenDuring(async () => {
      id = (await client.post(path, input)).body.id
    })
    const after = { ...input, creatorId: account.id, createdAt: expect.any(String) }
    expect(rows).toEqual([{ ...by(account), ...onRecord(id), action: 'create', before: null, after }])
  })

  it('editing it: the changed fields, with old and new values', async () => {
    const { account, client } = await fellow()
    const { id } = await make(test.db, { creator: account, notes: 'Old', rating: 5 })
    expect(await writtenDuring(() => client.put(`${path}/${id}`, { notes: 'Old', rating: 9 }))).toEqual([
      { ...by(account), ...onRecord(id), action: 'update', before: { rating: 5 }, after: { rating: 9 } },
    ])
    expect(await writtenDuring(() => client.put(`${path}/${id}`, { notes: 'New' }))).toMatchObject([
      { before: { notes: 'Old' }, after: { notes: 'New' } },
    ])
    expect(await writtenDuring(() => client.put(`${path}/${id}`, { notes: 'New' }))).toMatchObject([
      { action: 'update', before: null, after: null },
    ])
  })

  it('deleting it: all fields as old values; its notes stay with it', async () => {
    const { account, client } = await fellow()
    const { id } = await make(test.db, { creator: account, notes: 'Met.' })
    await makeNote(test.db, { [kind]: id })
    expect(await writtenDuring(() => client.delete(`${path}/${id}`))).toEqual([
      {
        ...by(account),
        ...onRecord(id),
        action: 'delete',
        before: expect.objectContaining({ notes: 'Met.', rating: 5, creatorId: account.id }),
        after: null,
      },
    ])
  })

  it('adding and deleting a note on it: the content', async () => {
    const { account, client } = await fellow()
    const { id } = await make(test.db)
    let noteId = ''
    const added = await writtenDuring(async () => {
      noteId = (await client.post(`/api/notes/${kind}/${id}`, { content: 'Call' })).body.note.id
    })
    const note = { id: noteId, authorId: account.id, content: 'Call' }
    expect(added).toEqual([{ ...by(account), ...onRecord(id), action: 'add-note', before: null, after: note }])
    expect(await writtenDuring(() => client.delete(`/api/notes/${kind}/${id}/${noteId}`))).toEqual([
      { ...by(account), ...onRecord(id), action: 'delete-note', before: note, after: null },
    ])
  })

  it('also directly in the database, with the name of the database role', async () => {
    const { id } = await make(test.db, { rating: 5 })
    const rows = await writtenDuring(() => test.db.execute(sql`update records set rating = 1 where id = ${id}`))
    expect(rows).toMatchObject([
      { accountId: null, ip: null, action: 'update', objectId: id, detail: { databaseUser: expect.any(String) } },
    ])
  })

  it('but not when the transaction rolls back', async () => {
    const { account } = await fellow()
    const { id } = await make(test.db, { creator: account })
    const rows = await writtenDuring(() =>
      test.db
        .transaction(async (tx) => {
          await make(tx, { creator: account })
          await makeNote(tx, { [kind]: id, author: account })
          throw new Error('taken back')
        })
        .catch(() => {}),
    )
    expect(rows).toEqual([])
  })

  it('but not when it is refused: an edit of an old version, blank notes, a note on an unknown record', async () => {
    const { account, client } = await fellow()
    const { id } = await make(test.db, { creator: account })
    const rows = await writtenDuring(async () => {
      expect((await client.put(`${path}/${id}`, { rating: 3, version: 7 })).status).toBe(409)
      expect((await client.put(`${path}/${id}`, { notes: ' ' })).status).toBe(400)
      const nowhere = id.replace(/.{12}$/, '000000000000')
      expect((await client.post(`/api/notes/${kind}/${nowhere}`, { content: 'x' })).status).toBe(404)
    })
    expect(rows).toEqual([])
  })

  it('but not when only derived data changes', async () => {
    const { id } = await make(test.db)
    const running = { runningSince: new Date().toISOString() }
    const rows = await writtenDuring(() =>
      test.db.execute(
        sql`update records set notes_count = 7, enrichment = ${JSON.stringify(running)}::jsonb where id = ${id}`,
      ),
    )
    expect(rows).toEqual([])
  })

  it('and never has the actor of an earlier request', async () => {
    const { account, client } = await fellow()
    const { id } = await make(test.db, { creator: account })
    await client.put(`${path}/${id}`, { rating: 2 })
    const rows = await writtenDuring(async () => {
      for (let rating = 3; rating < 10; rating += 1) {
        await test.db.execute(sql`update records set rating = ${rating} where id = ${id}`)
      }
    })
    expect(new Set(rows.map(({ accountId }) => accountId))).toEqual(new Set([null]))
  })
})

describe('An action on an account writes one audit entry', () => {
  const account = (row: { accountId: string | null }) => ({ kind: 'account', objectId: row.accountId, result: 'done' })

  it('registering, which signs in', async () => {
    const email = `new-${Date.now()}@mit.edu`
    const rows = await writtenDuring(() =>
      test.visitor().post('/api/auth/register', { email, password: PASSWORD, name: 'New' }),
    )
    const who = { ...by({ id: expect.stringMatching(UUID), email }), ...account(rows[0] as never), ...nothingMore }
    expect(rows).toEqual([
      { ...who, action: 'register' },
      { ...who, action: 'login' },
    ])
  })

  it('signing in and out, with either call', async () => {
    const made = await makeAccount(test.db)
    const client = test.visitor()
    const entry = { email: made.email, password: PASSWORD }
    for (const path of ['login', 'smart-auth']) {
      const rows = await writtenDuring(() => client.post(`/api/auth/${path}`, entry))
      expect(rows).toEqual([{ ...by(made), ...account({ accountId: made.id }), ...nothingMore, action: 'login' }])
    }
    expect(await writtenDuring(() => client.post('/api/auth/logout'))).toEqual([
      { ...by(made), ...account({ accountId: made.id }), ...nothingMore, action: 'logout' },
    ])
    expect(await writtenDuring(() => client.post('/api/auth/logout'))).toEqual([])
  })

  it('changing the password, and ending the other sessions', async () => {
    const { account: made, client } = await fellow()
    const overrides = { currentPassword: PASSWORD, newPassword: 'quite another one, and long' }
    expect(await writtenDuring(() => client.post('/api/account/password', overrides))).toEqual([
      { ...by(made), ...account({ accountId: made.id }), ...nothingMore, action: 'account-password' },
    ])
    expect(await writtenDuring(() => client.delete('/api/account/sessions'))).toMatchObject([
      { accountId: made.id, action: 'account-sessions', result: 'done' },
    ])
  })

  it('a wrong password: denied, with the entered address', async () => {
    const { email } = await makeAccount(test.db)
    await test.visitor().post('/api/auth/login', { email, password: 'not this one, but another' })
    expect(await searchAuditLog(test.db, { person: email }, 10)).toEqual([
      {
        id: expect.stringMatching(UUID),
        tokenId: null,
        at: expect.any(String),
        ...by({ id: null as never, email }),
        ...nothingMore,
        action: 'login',
        kind: null,
        objectId: null,
        result: 'refused',
        detail: { method: 'POST', path: '/api/auth/login', status: 401 },
      },
    ])
  })

  it('an address that may not join', async () => {
    const overrides = { email: 'someone@gmail.com', password: PASSWORD, name: 'S' }
    await test.visitor().post('/api/auth/register', overrides)
    expect(await searchAuditLog(test.db, { person: overrides.email }, 10)).toMatchObject([
      { action: 'register', result: 'refused', accountEmail: 'someone@gmail.com', detail: { status: 403 } },
    ])
  })
})

describe('The audit log contains no secrets', () => {
  it('no entry, done or denied, contains a password, hash, token or cookie', async () => {
    const password = `a-password-${Date.now()}`
    const email = `secret-${Date.now()}@mit.edu`
    const client = test.visitor()
    await client.post('/api/auth/register', { email, password, name: 'S' })
    const cookies = [...client.cookies.values()]
    await client.post('/api/founders', { name: 'A', linkedIn: 'https://x.example/a', notes: 'n' })
    await client.post('/api/auth/login', { email, password: `${password}-wrong` })
    await client.post('/api/auth/logout')
    await client.post('/api/founders', { name: 'A' })
    const all = JSON.stringify([await test.db.select().from(auditLog), await test.db.select().from(deniedRequests)])
    expect(all).toContain(email)
    for (const secret of [password, ...cookies, 'argon2', 'sha256:']) expect(all).not.toContain(secret)
  })
})

const EMPTYING = sql`
  update audit_log set before = null, after = null, detail = null, account_email = null, ip = null`

describe('The audit log is permanent', () => {
  it.each([
    ['changed', sql`update audit_log set action = 'nothing'`],
    ['changed where nothing is', sql`update audit_log set action = 'nothing' where false`],
    ['removed', sql`delete from audit_log`],
    ['emptied', sql`truncate audit_log`],
  ])('it cannot be %s', async (_what, statement) => {
    await recordAuditEntry(test.db, { action: 'login' })
    const before = await test.db.select().from(auditLog)
    const failure = await test.db.execute(statement).catch((error: Error) => error)
    expect(String((failure as Error).cause)).toContain('The audit log is permanent: it cannot be changed or removed')
    expect(await test.db.select().from(auditLog)).toEqual(before)
  })

  it('except that one function empties the values of entries, also for those who own the tables', async () => {
    const { id, email } = await makeAccount(test.db)
    await recordAuditEntry(test.db, {
      action: 'register',
      by: { id, email, ip: '10.0.0.9' },
      detail: { invitation: id },
      after: { b: 1 },
    })
    const ofAccount = () => test.db.select().from(auditLog).where(eq(auditLog.accountId, id))
    const [before] = await ofAccount()
    await test.db.execute(
      sql`select empty_audit_entries(array_agg(id), array_agg(at), 'all') from audit_log where account_id = ${id}`,
    )
    const emptied = { before: null, after: null, detail: null, accountEmail: null, ip: null }
    expect(await ofAccount()).toEqual([{ ...before, ...emptied }])
  })

  it('and network addresses after some days, and nothing else', async () => {
    const { id, email } = await makeAccount(test.db)
    const by = { id, email, ip: '10.0.0.9' }
    for (const _entry of [1, 2]) await recordAuditEntry(test.db, { action: 'register', by, detail: { invitation: id } })
    const ofAccount = () =>
      test.db.select().from(auditLog).where(eq(auditLog.accountId, id)).orderBy(asc(auditLog.at), asc(auditLog.id))
    const before = await ofAccount()
    await deleteOldAddresses(test.db, 90)
    expect(await ofAccount()).toEqual(before)
    await deleteOldAddresses(test.db, 0)
    expect(await ofAccount()).toEqual(before)
    await test.db.execute(sql`alter table audit_log disable trigger user`)
    await test.db.execute(
      sql`update audit_log set at = at - interval '91 days' where account_id = ${id} and id = ${before[1]?.id}`,
    )
    await test.db.execute(sql`alter table audit_log enable trigger user`)
    const [old, young] = await ofAccount()
    await deleteOldAddresses(test.db, 90)
    expect(await ofAccount()).toEqual([{ ...old, ip: null }, young])
  })

  it.each([
    [
      'a setting of the session',
      [
        sql`select set_config('sourcebook.function', 'function empty_audit_entries(uuid[],timestamp with time zone[],text)', true)`,
        EMPTYING,
      ],
    ],
    [
      'a function of the same name in another schema',
      [
        sql`create schema impostor`,
        sql`create function impostor.empty_audit_entries(ids uuid[], times timestamptz[], what text) returns void language plpgsql as $$
          begin ${EMPTYING}; end $$`,
        sql`set local search_path = impostor, public`,
        sql`select empty_audit_entries(array[]::uuid[], array[]::timestamptz[], 'all')`,
      ],
    ],
  ])('which %s does not replace', async (_what, statements) => {
    await recordAuditEntry(test.db, { action: 'search-person', detail: { count: 1 } })
    const before = await test.db.select().from(auditLog)
    const attempt = test.db.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement)
    })
    const failure = await attempt.catch((error: Error) => error)
    expect(String((failure as Error).cause)).toContain('The audit log is permanent')
    expect(await test.db.select().from(auditLog)).toEqual(before)
  })

  it('keeps the entries of deleted records and accounts', async () => {
    const { id, email } = await makeAccount(test.db)
    await recordAuditEntry(test.db, { action: 'login', by: { id, email } })
    await test.db.execute(sql`delete from accounts where id = ${id}`)
    expect(await test.db.select().from(auditLog).where(eq(auditLog.accountId, id))).toMatchObject([
      { accountEmail: email },
    ])
  })

  it('has every entry of concurrent changes, in order', { tags: 'slow' }, async () => {
    const { account, client } = await fellow()
    const { id } = await makeFounder(test.db, { creator: account, rating: 1 })
    const rows = await writtenDuring(async () => {
      for (let rating = 2; rating <= 10; rating += 1) await client.put(`/api/founders/${id}`, { rating })
    })
    expect(rows.map(({ after }) => after?.rating)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.put(`/api/founders/${id}`, { notes: `n${index}` })),
    )
    const all = await test.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.objectId, id))
      .orderBy(asc(auditLog.at), asc(auditLog.id))
    const ofNotes = all.filter(({ after, action }) => action === 'update' && after?.notes !== undefined)
    expect(ofNotes).toHaveLength(20)
    // Each page starts where the previous one ended.
    for (const [index, row] of ofNotes.slice(1).entries()) expect(row.before?.notes).toBe(ofNotes[index]?.after?.notes)
  })

  it('keeps the order of entries with the same time', async () => {
    await test.db.execute(
      sql`insert into audit_log (action, result, detail)
        select 'request', 'refused', jsonb_build_object('more', n, 'within', '1 minute') from generate_series(1, 200) n order by n`,
    )
    const rows = await test.db
      .select({ detail: auditLog.detail })
      .from(auditLog)
      .where(sql`${auditLog.detail} ? 'more'`)
      .orderBy(asc(auditLog.at), asc(auditLog.id))
    expect(rows.map(({ detail }) => detail?.more)).toEqual(Array.from({ length: 200 }, (_, index) => index + 1))
  })

  it('keeps the entries of deleted notes', async () => {
    const note = await makeNote(test.db, { content: 'Kept' })
    await test.db.delete(notes).where(eq(notes.id, note.id))
    expect(await test.db.select().from(auditLog).where(sql`${auditLog.before} ->> 'id' = ${note.id}`)).toMatchObject([
      { action: 'delete-note', before: { content: 'Kept' } },
    ])
  })
})
