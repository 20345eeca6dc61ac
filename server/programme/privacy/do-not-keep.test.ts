import { createHmac, randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { rowsOf as rows } from '#server/db/database.ts'
import { auditLog, doNotKeep, sessions } from '#server/db/schema.ts'
import { createEmptyApp, IN } from '#server/import/test/import-file.ts'
import { hashUnderKey, insertHashes } from '#server/ledger/keyed-hashes.ts'
import { listLines } from '#server/ledger/store.ts'
import { merge, preview, type Row, undo } from '#server/merge/test/calls.ts'
import { createWorld, other, person, REFUSED } from './test/listed.ts'

let number = 0
const test = createEmptyApp()
let ann: Awaited<ReturnType<typeof createWorld>>['ann']
let manager: typeof ann
let { add, patch, get, refOf, erase, list } = {} as Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  ;({ ann, manager, add, patch, get, refOf, erase, list } = await createWorld(test))
})

describe('Do not keep', () => {
  it('takes all LinkedIn and email addresses of erased records, of those merged into them and of replaced values', {
    tags: 'slow',
  }, async () => {
    const [one, two] = [person(), person()]
    let survivor = await add(one)
    survivor = (await patch(survivor, { email: one.email })).body
    const duplicate = (await patch(await add({ linkedIn: two.linkedIn }), { email: two.email })).body
    const third = person().linkedIn
    const chosen = await add({ linkedIn: third })
    expect((await merge(ann.client, survivor, duplicate)).status).toBe(200)
    expect((await merge(ann.client, await get(survivor), chosen, { linkedIn: 'duplicate' })).status).toBe(200)
    expect((await erase(await get(survivor))).status).toBe(200)
    for (const linkedIn of [one.linkedIn, two.linkedIn, third]) {
      expect(await ann.client.post('/api/founders', { name: 'X', linkedIn, notes: 'n' })).toMatchObject(REFUSED)
    }
    const record = await add()
    for (const email of [one.email, two.email]) expect(await patch(record, { email })).toMatchObject(REFUSED)
  })

  it('keeps keyed hashes alone: never an address, never a name, under one key in the ledger', {
    tags: 'slow',
  }, async () => {
    const { linkedIn, email } = person()
    const record = (await patch(await add({ linkedIn }), { email })).body
    const { body } = await erase(record)
    const lines = await listLines(test.db)
    const keys = lines.filter((line) => line.kind === 'key')
    expect(keys).toHaveLength(1)
    const key = Buffer.from(keys[0]?.key ?? '', 'hex')
    expect(key).toHaveLength(32)
    const hash = (text: string) => createHmac('sha256', key).update(text).digest('hex')
    const expected = [hash(`in ${linkedIn.slice(IN.length)}`), hash(`email ${email}`)].toSorted()
    const line = lines.find(({ id }) => id === body.erasureId)
    expect(line).toMatchObject({ kind: 'erased', doNotKeep: { key: keys[0]?.id, hashes: expected } })
    const stored = await test.db.select().from(doNotKeep).where(eq(doNotKeep.erasureId, body.erasureId))
    expect(stored.map((one) => one.hash).toSorted()).toEqual(expected)
    const text = JSON.stringify([lines, await test.db.select().from(doNotKeep)])
    for (const part of ['gone', 'planted', 'linkedin', record.name]) expect(text).not.toContain(part)
    expect((await ann.client.post('/api/founders', { name: record.name, linkedIn: other(), notes: 'n' })).status).toBe(
      201,
    )
  })

  it.each([
    ['in/anna-weiß', 'in/anna-weiss'],
    ['in/anna-weissmann', 'in/anna-weißmann'],
    ['in/lærke', 'in/laerke'],
    ['in/jean%E2%80%91luc', 'in/jean-luc'],
    ['in/o%E2%80%99connor', "in/o'connor"],
  ])('refuses the profile %s in another spelling too: %s', async (erased, typed) => {
    const linkedInOf = (path: string) => `https://www.linkedin.com/${path}-${number}`
    number += 1
    expect((await erase(await add({ linkedIn: linkedInOf(erased) }))).status).toBe(200)
    for (const path of [erased, typed]) {
      const input = { name: 'X', linkedIn: linkedInOf(path), notes: 'n' }
      expect(await ann.client.post('/api/founders', input)).toMatchObject(REFUSED)
    }
  })

  it('finds an address by a hash of before the fold in the spelling that was hashed, and in no other', async () => {
    const { hashes } = await test.db.transaction((tx) => hashUnderKey(tx, ['in old-weiß']))
    await insertHashes(test.db, randomUUID(), { key: '', hashes })
    const post = (handle: string) =>
      ann.client.post('/api/founders', { name: 'X', linkedIn: `https://www.linkedin.com/in/${handle}`, notes: 'n' })
    expect(await post('old-weiß')).toMatchObject(REFUSED)
    expect((await post('old-weiss')).status).toBe(201)
  })

  it('takes addresses that the manager types, where neither is known', { tags: 'slow' }, async () => {
    const { linkedIn, email } = person()
    const record = await add({ linkedIn: 'https://people.example/ada', name: 'Nia Unknown' })
    expect(await refOf(record)).toMatchObject({ hasAddress: false })
    expect(await refOf(await add({ name: 'Ken Known' }))).toMatchObject({ hasAddress: true })
    for (const typed of [{ linkedIn: 'ada' }, { linkedIn: 'https://linkedin.com/company/x' }, { email: 'ada' }]) {
      expect(await erase(record, typed)).toMatchObject({
        status: 400,
        body: { fields: { doNotKeep: expect.any(String) } },
      })
    }
    expect((await erase(record, { linkedIn, email: email.toUpperCase() })).status).toBe(200)
    expect(await ann.client.post('/api/founders', { name: 'X', linkedIn, notes: 'n' })).toMatchObject(REFUSED)
    expect(await patch(await add(), { email })).toMatchObject(REFUSED)
  })
})

describe('Every call that writes a LinkedIn profile or an email address refuses one that is not to be kept', () => {
  it('add, in any spelling of the address', async () => {
    const { linkedIn } = person()
    const handle = linkedIn.slice(IN.length)
    await list({ linkedIn })
    for (const spelled of [
      linkedIn,
      `http://de.linkedin.com/in/${handle.toUpperCase()}/?trk=1`,
      `${IN}%67${handle.slice(1)}#x`,
    ]) {
      expect(await ann.client.post('/api/founders', { name: 'X', linkedIn: spelled, notes: 'n' })).toMatchObject(
        REFUSED,
      )
    }
    const company = { name: 'X', website: linkedIn, description: 'x', notes: 'n' }
    expect(await ann.client.post('/api/companies', company)).toMatchObject(REFUSED)
    expect((await ann.client.get('/api/founders')).body.filter((row: Row) => row.name === 'X')).toEqual([])
  })

  it('a correction, and putting a value back', { tags: 'slow' }, async () => {
    const { linkedIn, email } = person()
    const [record, before] = [await add(), await add({ linkedIn })]
    const changed = (await patch(before, { linkedIn: other() })).body
    const withEmail = (await patch(changed, { email })).body
    const emptied = (await patch(withEmail, { email: '' })).body
    await list({ linkedIn, email })
    expect(await patch(record, { linkedIn })).toMatchObject(REFUSED)
    expect(await patch(record, { email: ` ${email.toUpperCase()}` })).toMatchObject(REFUSED)
    expect(await patch(emptied, { linkedIn })).toMatchObject(REFUSED)
    expect(await patch(emptied, { email })).toMatchObject(REFUSED)
    expect(await patch(await add({}, 'companies'), { linkedIn }, ann.client, 'companies')).toMatchObject(REFUSED)
    expect((await get(record)).version).toBe(record.version)
    expect((await patch(record, { email: `x${email}` })).status).toBe(200)
  })

  it('a merge that chooses the value, and none that leaves it out', { tags: 'slow' }, async () => {
    const { linkedIn } = person()
    const [one, two] = [await add(), await add({ linkedIn })]
    await list({ linkedIn })
    expect((await preview(ann.client, one, two, { linkedIn: 'duplicate' })).status).toBe(200)
    expect(await merge(ann.client, one, two, { linkedIn: 'duplicate' })).toMatchObject(REFUSED)
    expect((await get(two)).linkedIn).toBe(linkedIn)
    expect((await merge(ann.client, one, two, { linkedIn: 'survivor' })).status).toBe(200)
  })

  it('an undo that brings it back, on either side', { tags: 'slow' }, async () => {
    const [lost, replaced] = [person(), person()]
    const first = await merge(ann.client, await add(), await add(lost))
    const second = await merge(ann.client, await add(replaced), await add(), { linkedIn: 'duplicate' })
    await list(lost)
    await list(replaced)
    for (const { body } of [first, second]) expect(await undo(ann.client, body.mergeId)).toMatchObject(REFUSED)
  })

  it('a restore of a deleted record', async () => {
    const { linkedIn } = person()
    const record = await add({ linkedIn })
    await ann.client.delete(`/api/founders/${record.id}`)
    await list({ linkedIn })
    expect(await manager.client.post(`/api/programme/deleted/${record.id}/restore`, {})).toMatchObject(REFUSED)
    expect((await ann.client.get(`/api/founders/${record.id}`)).status).toBe(404)
  })
})

describe('An overrule', () => {
  const overrule = { reason: 'asked' }
  const entriesOf = ({ id }: Row) =>
    test.db.select().from(auditLog).where(sql`action = 'overrule' and object_id = ${id}`)

  it('lets a manager add and correct nevertheless, with one of the fixed reasons, which alone is in the audit log', async () => {
    const { linkedIn, email } = person()
    await list({ linkedIn, email })
    const added = await add({ linkedIn, overrule }, 'founders', manager.client)
    expect(await entriesOf(added)).toMatchObject([
      { accountId: manager.account.id, before: null, after: null, detail: overrule },
    ])
    const corrected = await patch(added, { email, overrule: { reason: 'other' } }, manager.client)
    expect(corrected.status).toBe(200)
    expect(await entriesOf(added)).toHaveLength(2)
  })

  it('holds for that record: in a merge, an undo and a restore, but for no other', { tags: 'slow' }, async () => {
    const { linkedIn } = person()
    await list({ linkedIn })
    const kept = await add({ linkedIn, overrule }, 'founders', manager.client)
    const { body: merged } = await merge(manager.client, await add(), kept, { linkedIn: 'duplicate' })
    expect(merged.record?.linkedIn).toBe(linkedIn)
    expect((await undo(manager.client, merged.mergeId)).status).toBe(200)
    await manager.client.delete(`/api/founders/${kept.id}`)
    expect((await manager.client.post(`/api/programme/deleted/${kept.id}/restore`, {})).status).toBe(200)
    expect(await manager.client.post('/api/founders', { name: 'X', linkedIn, notes: 'n' })).toMatchObject(REFUSED)
  })

  it('ends with an erasure of the record', { tags: 'slow' }, async () => {
    const { linkedIn } = person()
    await list({ linkedIn })
    const kept = await add({ linkedIn, name: 'Ola Overruled', overrule }, 'founders', manager.client)
    expect((await erase(kept)).status).toBe(200)
    expect(await rows(test.db, sql`select from overrules where record_id = ${kept.id}`)).toEqual([])
    expect(await ann.client.post('/api/founders', { name: 'X', linkedIn, notes: 'n' })).toMatchObject(REFUSED)
  })

  it('is 403 for a fellow, 400 with another reason, and asks who the manager is', async () => {
    const { linkedIn } = person()
    await list({ linkedIn })
    const input = { name: 'X', linkedIn, notes: 'n', overrule }
    expect((await ann.client.post('/api/founders', input)).status).toBe(403)
    expect((await patch(await add(), { linkedIn, overrule })).status).toBe(403)
    for (const other of [{ reason: 'because' }, {}, true]) {
      const { status, body } = await manager.client.post('/api/founders', { ...input, overrule: other })
      expect([status, Object.keys(body.fields)]).toEqual([400, ['overrule']])
    }
    await test.db.update(sessions).set({ confirmedAt: null }).where(eq(sessions.accountId, manager.account.id))
    expect(await manager.client.post('/api/founders', input)).toMatchObject({ status: 403, body: { code: 'confirm' } })
    await test.db.update(sessions).set({ confirmedAt: new Date() }).where(eq(sessions.accountId, manager.account.id))
    expect((await manager.client.post('/api/founders', input)).status).toBe(201)
  })
})
