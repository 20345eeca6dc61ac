import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IMPORT_BYTES_MAX } from '#contract/import.ts'
import { imports } from '#server/db/schema.ts'
import { act, csv, importFile, NONE, prepare, rowsOf, settled, upload } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

let made = 0
/** A name that is similar to no other. */
const newName = () => {
  made += 1
  return `Z${(made * 7919).toString(36)}q X${made.toString(26)}y`
}
const people = (count = 1) => csv('Name,Rating', ...Array.from({ length: count }, () => `${newName()},5`))

describe('An upload', () => {
  it('returns 201 with the guessed format of the file', async () => {
    const { client } = await fellowOf(test)
    const { status, body } = await upload(client, 'Company;Website\nAcme;https://acme.example', 'startups.csv')
    expect(status).toBe(201)
    expect(body).toMatchObject({
      state: 'reading',
      kind: 'company',
      dialect: { format: 'csv', separator: ';' },
      columns: ['Company', 'Website'],
      mapping: { name: 0, website: 1 },
    })
  })

  it.each([
    ['an empty file', '', 'This file is empty'],
    ['a PDF', '%PDF-1.7 x', 'This is a PDF. Upload a CSV, XLSX or JSON Lines file.'],
  ])('is 400 with a sentence for %s', async (_what, file, sentence) => {
    const { client } = await fellowOf(test)
    expect(await upload(client, file)).toMatchObject({
      status: 400,
      body: { error: sentence, fields: { file: sentence } },
    })
  })

  it('is 413 with a sentence beyond 50 MB, and 415 for anything but the file', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const large = await upload(client, Buffer.alloc(IMPORT_BYTES_MAX + 1))
    expect(large).toMatchObject({ status: 413, body: { error: 'A file can have at most 50 MB. Split it.' } })
    expect((await client.post('/api/imports?name=x.csv', {})).status).toBe(415)
    expect((await upload(client, people(), '')).status).toBe(400)
  })

  it('leaves the limit of every other call as it is', async () => {
    const { client } = await fellowOf(test)
    const headers = { 'content-type': 'application/octet-stream' }
    expect((await client.post('/api/founders', Buffer.alloc(10), { headers })).status).toBe(415)
    expect((await client.post('/api/founders', { name: 'x'.repeat(200_000) })).status).toBe(413)
  })

  it('with a key is one import, also when it is sent several times', async () => {
    const { client } = await fellowOf(test)
    const file = people()
    const headers = { 'idempotency-key': 'upload-1' }
    const one = await upload(client, file, 'a.csv', headers)
    const two = await upload(client, file, 'a.csv', headers)
    expect([one.status, two.status, two.body.id]).toEqual([201, 201, one.body.id])
    expect((await upload(client, people(), 'a.csv', headers)).status).toBe(422)
  })

  it('that failed can be sent again with its key, and is then stored', async () => {
    const { client } = await fellowOf(test)
    const headers = { 'idempotency-key': 'upload-2' }
    await test.db.execute(
      sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''No''; end'`,
    )
    await test.db.execute(sql`create trigger refused before insert on imports for each row execute function refuse()`)
    expect((await upload(client, people(), 'a.csv', headers)).status).toBe(500)
    await test.db.execute(sql`drop trigger refused on imports`)
    const { status, body } = await upload(client, people(), 'a.csv', headers)
    expect(status).toBe(201)
    expect((await settled(client, body.id)).counts).toEqual({ ...NONE, created: 1 })
  })

  it('of a file without rows ends with a sentence', async () => {
    const { client } = await fellowOf(test)
    const { body } = await upload(client, 'Name,LinkedIn\n')
    expect(await settled(client, body.id)).toMatchObject({
      state: 'failed',
      error: 'This file has no rows below the names of its columns',
    })
    expect((await client.post(`/api/imports/${body.id}/run`)).status).toBe(409)
  })
})

describe('The format and columns of a file', () => {
  it('can be changed until the import runs, and the file is then read again', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const ready = await prepare(client, csv('A;B', 'Uma Umber;Great', 'Vic Vale;'))
    expect(ready.counts).toMatchObject({ refused: 2 })
    const changed = await prepare(client, csv('A;B', 'Uma Umber;Great', 'Vic Vale;'), {
      mapping: { name: 0, notes: 1 },
    })
    expect(changed).toMatchObject({ state: 'ready', counts: { ...NONE, created: 2 }, mapping: { name: 0, notes: 1 } })
    expect((await act(client, changed.id, 'run')).state).toBe('done')
    const after = await client.call('PATCH', `/api/imports/${changed.id}`, { body: { kind: 'company' } })
    expect(after).toMatchObject({ status: 409, body: { error: 'This import has already run' } })
  })

  it.each([
    [{ mapping: {} }, 'Choose the column that holds the names'],
    [{ mapping: { name: 5 } }, 'Choose a column of the file'],
    [{ mapping: { name: 0, website: 1 } }, 'Founders have no field website'],
    [{ dialect: { format: 'csv', encoding: 'utf-8', separator: ',', headerRow: 9 } }, undefined],
  ])('are 400 where they do not fit: %j', async (patch, error) => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, people())
    const answer = await client.call('PATCH', `/api/imports/${id}`, { body: patch })
    expect([answer.status, Object.keys(answer.body.fields)]).toEqual([400, Object.keys(patch)])
    if (error) expect(answer.body.error).toBe(error)
  })
})

describe('An action in the wrong state', () => {
  it('is 409 with a sentence', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, people())
    const errorOf = async (what: string) => {
      const { status, body } = await client.post(`/api/imports/${id}/${what}`)
      return [status, body.error]
    }
    expect(await errorOf('revert')).toEqual([409, 'This import has not run yet'])
    await act(client, id, 'run')
    expect(await errorOf('run')).toEqual([409, 'This import has already run'])
    await act(client, id, 'revert')
    expect(await errorOf('revert')).toEqual([409, 'This import has been reverted'])
  })

  it('has no further effect when it is sent again with the same key', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, people())
    const headers = { 'idempotency-key': 'run-1' }
    for (let sent = 0; sent < 2; sent += 1) {
      expect((await client.post(`/api/imports/${id}/run`, undefined, { headers })).status).toBe(202)
      await settled(client, id)
    }
    expect((await settled(client, id)).counts).toEqual({ ...NONE, created: 1 })
  })
})

describe('An import is for its importer and managers', () => {
  it('in every call; for others it is 403', { tags: 'slow' }, async () => {
    const [owner, other, manager] = [
      await fellowOf(test),
      await fellowOf(test),
      await fellowOf(test, { role: 'manager' }),
    ]
    const { id } = await importFile(owner.client, people())
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/rows', undefined],
      ['GET', '/refused.csv', undefined],
      ['GET', '/look-ups', undefined],
      ['PATCH', '', { kind: 'founder' }],
      ['POST', '/run', undefined],
      ['POST', '/look-ups', undefined],
      ['POST', '/revert', undefined],
    ] as const) {
      const call = (client: typeof other.client) => client.call(method, `/api/imports/${id}${path}`, { body })
      expect([method, path, (await call(other.client)).status]).toEqual([method, path, 403])
      expect([method, path, [200, 202, 409].includes((await call(manager.client)).status)]).toEqual([
        method,
        path,
        true,
      ])
    }
    expect((await other.client.get('/api/imports')).body).toEqual([])
    expect((await owner.client.get('/api/imports')).body).toMatchObject([{ id, by: owner.account.name }])
  })

  it('is 404 for an unknown id', async () => {
    const { client } = await fellowOf(test)
    for (const id of ['x', '01890000-0000-7000-8000-000000000000']) {
      expect((await client.get(`/api/imports/${id}`)).status).toBe(404)
      expect((await client.post(`/api/imports/${id}/run`)).status).toBe(404)
    }
  })
})

describe('The rows of an import', () => {
  it('are paged in the order of the file, all of them or those of one outcome', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const ready = await prepare(client, `${people(5)}\n,7\n${people(2).split('\n').slice(1).join('\n')}\n,8`)
    const numbers = async (query: string) => {
      const seen: number[] = []
      let next: string | undefined = `/api/imports/${ready.id}/rows?limit=2${query}`
      while (next !== undefined) {
        const answer = await client.get(next)
        seen.push(...answer.body.map(({ row }: { row: number }) => row))
        next = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
      }
      return seen
    }
    expect(await numbers('')).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(await numbers('&outcome=refused')).toEqual([7, 10])
    expect((await client.get(`/api/imports/${ready.id}/rows?outcome=lost`)).status).toBe(400)
    expect((await client.get(`/api/imports/${ready.id}/rows?cursor=x`)).status).toBe(400)
  })
})

describe('Refused rows', () => {
  it('download as the same file plus a reason; corrected and imported again they are created once', {
    tags: 'slow',
  }, async () => {
    const { client } = await fellowOf(test)
    const done = await importFile(client, csv('Name,Rating,Extra', 'Wim Wald,11,=1+1', 'Xia Xu,3,', ',4,x'), {
      cells: 'refuse',
    })
    expect(done.counts).toEqual({ ...NONE, created: 1, refused: 2 })
    const { text, headers } = await client.get(`/api/imports/${done.id}/refused.csv`)
    expect(headers['content-disposition']).toBe('attachment; filename="refused.csv"')
    expect(text).toBe(
      "\ufeffName,Rating,Extra,reason\r\nWim Wald,11,'=1+1,Rating: Rating must be a whole number from 1 to 10\r\n,4,x,Name: Name is required\r\n",
    )
    const mended = await importFile(client, text.replace('Wald,11', 'Wald,10').replace('\r\n,4', '\r\nYan Yew,4'))
    expect(mended.counts).toEqual({ ...NONE, created: 2 })
    expect(await rowsOf(client, mended.id)).toMatchObject([{ outcome: 'created' }, { outcome: 'created' }])
    expect(await test.db.$count(imports)).toBeGreaterThan(0)
  })

  it('keep the values beyond the last column, behind the reason', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const rows = Array.from({ length: 5 }, (_, at) => `Person Nr${at},n`)
    const done = await importFile(client, csv('Name,Notes', ...rows, 'Ada Byron,met, in Paris'))
    expect(done.counts).toMatchObject({ created: 5, refused: 1 })
    const { text } = await client.get(`/api/imports/${done.id}/refused.csv`)
    expect(text.split('\r\n')[1]).toMatch(/^Ada Byron,met,.* 3 values.*, in Paris$/)
  })
})
