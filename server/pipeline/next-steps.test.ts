import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { auditLog } from '#server/db/schema.ts'
import { makeCompany, makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { createPipelineCalls } from './test/calls.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const NOWHERE = '01900000-0000-7000-8000-000000000000'
/** A fellow with next steps on these days, founders and companies in turn. */
async function fellowWith(...days: (string | null)[]) {
  const fellow = await fellowOf(test, { name: 'Ada' })
  const calls = await createPipelineCalls(test, fellow.client)
  const responsible = await calls.fellowId(fellow.account)
  const records = []
  for (const [at, nextOn] of days.entries()) {
    const record = await (at % 2 === 0 ? makeFounder : makeCompany)(test.db, { name: `Record ${at}` })
    const set = { responsible, nextStep: at === 1 ? null : `Step ${at}`, nextOn, version: 0 }
    expect((await calls.put(record.id, set)).status).toBe(200)
    records.push(record)
  }
  return { ...fellow, calls, records }
}
const daysIn = (list: { nextOn: string }[]) => list.map(({ nextOn }) => nextOn)

describe('My next steps', () => {
  it('are those with a date of the records for which I am responsible, soonest first', { tags: 'slow' }, async () => {
    const { client, calls, records } = await fellowWith('2030-03-01', '2030-01-01', null, '2030-02-01')
    await fellowWith('2030-01-15')
    const { status, body } = await client.get('/api/next-steps')
    expect([status, daysIn(body)]).toEqual([200, ['2030-01-01', '2030-02-01', '2030-03-01']])
    expect(body[2]).toEqual({
      ...{ kind: 'founder', record: { id: records[0]?.id, name: 'Record 0' }, nextStep: 'Step 0' },
      ...{ nextOn: '2030-03-01', stage: null, status: 'active', version: 1 },
    })
    expect(daysIn((await client.get('/api/next-steps?until=2030-02-01')).body)).toEqual(['2030-01-01', '2030-02-01'])
    await calls.put(records[1]?.id as string, { nextOn: null, version: 1 })
    expect(daysIn((await client.get('/api/next-steps')).body)).toEqual(['2030-02-01', '2030-03-01'])
  })

  it('leave out deleted and merged records', { tags: 'slow' }, async () => {
    const { client, records, account } = await fellowWith('2030-01-01', '2030-01-02', '2030-01-03')
    const boss = await fellowOf(test, { role: 'manager' })
    await boss.client.delete(`/api/founders/${records[0]?.id}`)
    const survivor = await makeCompany(test.db, { creator: account })
    await client.post('/api/records/merge', {
      ...{ survivorId: survivor.id, duplicateId: records[1]?.id },
      versions: { [survivor.id]: survivor.version, [records[1]?.id as string]: records[1]?.version },
    })
    const { body } = await client.get('/api/next-steps')
    expect(body.map(({ record }: { record: { id: string } }) => record.id)).toEqual([survivor.id, records[2]?.id])
  })

  it('refuse a day that does not exist', async () => {
    const { client } = await fellowWith()
    for (const until of ['', '2030-02-30', 'today', '0000-01-01']) {
      const { status, body } = await client.get(`/api/next-steps?until=${until}`)
      expect([until, status, Object.keys(body.fields)]).toEqual([until, 400, ['until']])
    }
  })

  it('are a calendar file, with the number of the change of each record, in the history as a file', {
    tags: 'slow',
  }, async () => {
    const { client, calls, records, account } = await fellowWith('2030-01-01', '2030-01-02')
    await calls.put(records[0]?.id as string, { nextOn: '2030-01-03', version: 1 })
    const { status, text, headers } = await client.get('/api/next-steps.ics')
    expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    const lines = text.replaceAll('\r\n ', '').split('\r\n')
    expect(lines.filter((line) => /^(UID|SEQUENCE|DTSTART|SUMMARY)/.test(line))).toEqual([
      ...[`UID:next-step-${records[1]?.id}@sourcebook`, 'SEQUENCE:1', 'DTSTART;VALUE=DATE:20300102'],
      'SUMMARY:Next step: Record 1',
      ...[`UID:next-step-${records[0]?.id}@sourcebook`, 'SEQUENCE:2', 'DTSTART;VALUE=DATE:20300103'],
      'SUMMARY:Step 0 (Record 0)',
    ])
    expect(text).toContain(`/founders/${records[0]?.id}`)
    const [entry] = await test.db
      .select()
      .from(auditLog)
      .where(sql`account_id = ${account.id} and action = 'export-calendar'`)
    expect(entry).toMatchObject({ result: 'done', detail: { mine: 'true', count: 2 } })
  })

  it('of one record are a calendar file for anyone signed in; 404 without a date', async () => {
    const { records } = await fellowWith('2030-01-01', null)
    const bob = await fellowOf(test)
    const { status, text } = await bob.client.get(`/api/records/${records[0]?.id}/next-step.ics`)
    expect([status, text.match(/BEGIN:VEVENT/g)?.length]).toEqual([200, 1])
    expect((await bob.client.get(`/api/records/${records[1]?.id}/next-step.ics`)).status).toBe(404)
    expect((await bob.client.get(`/api/records/${NOWHERE}/next-step.ics`)).status).toBe(404)
    const [entry] = await test.db
      .select()
      .from(auditLog)
      .where(sql`account_id = ${bob.account.id} and action = 'export-calendar'`)
    expect(entry?.detail).toEqual({ record: records[0]?.id, count: 1 })
  })
})
