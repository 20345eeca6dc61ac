import { execFileSync } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imports } from '#server/db/schema.ts'
import { getImport } from '#server/import/store/store.ts'
import { csv, prepare, settled, upload } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { countAttempt, uncountAttempt } from './attempts.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp({}, undefined, undefined, { readsApart: true })
})
afterAll(() => test.close())

const people = (count: number, prefix = 'z') =>
  csv('Name', ...Array.from({ length: count }, (_, at) => `${(at * 7919).toString(36)}${prefix} ${at.toString(26)}x`))

const killReaders = () => {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  for (const line of lines) {
    const [pid, parent] = line.trim().split(/ +/)
    if (line.includes('import/read/process/program') && parent === String(process.pid))
      process.kill(Number(pid), 'SIGKILL')
  }
}

describe('A small file', () => {
  it('is ready within seconds while a large one of a colleague and one of its own are read', {
    tags: 'slow',
  }, async () => {
    const [one, other] = [await fellowOf(test), await fellowOf(test)]
    const large = await Promise.all([
      upload(one.client, people(60_000, 'q'), 'large.csv'),
      upload(other.client, people(60_000, 'r'), 'large.csv'),
    ])
    expect(large.map(({ status }) => status)).toEqual([201, 201])
    const began = Date.now()
    expect(await prepare(one.client, 'Name\nUma Umber')).toMatchObject({ state: 'ready', total: 1 })
    expect(Date.now() - began).toBeLessThan(10_000)
    for (const [at, { client }] of [one, other].entries()) {
      const { state, done } = (await client.get(`/api/imports/${large[at]?.body.id}`)).body
      expect(state).toBe('reading')
      expect(done).toBeLessThan(60_000)
      expect((await client.delete(`/api/imports/${large[at]?.body.id}`)).status).toBe(204)
    }
  })
})

describe('A file with too many rows', () => {
  it('is refused before the first one is planned; another dialect can be chosen', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { status, body } = await upload(client, `Name\n${'Ada\n'.repeat(200_001)}`)
    expect(status).toBe(201)
    expect(body).toMatchObject({ state: 'failed', done: 0, columns: ['Name'] })
    expect(body.error).toBe('This file has more than 200,000 rows. Split it, and import the parts.')
    const dialect = { format: 'csv', encoding: 'utf-8', separator: ',', headerRow: 199_990 }
    expect(
      (await client.call('PATCH', `/api/imports/${body.id}`, { body: { dialect, mapping: { name: 0 } } })).status,
    ).toBe(200)
    expect(await settled(client, body.id)).toMatchObject({ state: 'ready', total: 12 })
  })
})

it('A loss of the database does not count as an attempt, however long it is away', async () => {
  const { client } = await fellowOf(test)
  const { id } = await prepare(client, people(3))
  await test.db.update(imports).set({ state: 'reading', attempts: 0 }).where(eq(imports.id, id))
  const attempts = async () => (await getImport(test.db, id)).attempts
  await countAttempt(test.db, await getImport(test.db, id))
  expect(await attempts()).toBe(1)
  let isAway = true
  const db = new Proxy(test.db, {
    get: (of, name, ...rest) =>
      name === 'execute' || name === 'update'
        ? (...given: [never]) => {
            if (isAway) throw new Error('The database is away')
            return (Reflect.get(of, name, ...rest) as (...all: [never]) => unknown).apply(of, given)
          }
        : Reflect.get(of, name, ...rest),
  })
  const uncounted = uncountAttempt(db, await getImport(test.db, id), new AbortController().signal)
  await pause(100)
  expect(await attempts()).toBe(1)
  isAway = false
  await uncounted
  expect(await attempts()).toBe(0)
})

it('A file whose attempts lose the database again and again is read once it is back', { tags: 'slow' }, async () => {
  const { client } = await fellowOf(test)
  await test.db.execute(sql`create table away ()`)
  await test.db.execute(sql`insert into away default values`)
  await test.db.execute(sql`create function lose() returns trigger language plpgsql as $$
    begin if exists (select from away) then raise exception using errcode = '08006'; end if; return new; end $$`)
  await test.db.execute(
    sql`create trigger lose before insert on import_rows for each statement execute function lose()`,
  )
  await test.db.execute(sql`create trigger lose before update of attempts on imports for each row
    when (new.attempts < old.attempts) execute function lose()`)
  const { body } = await upload(client, people(12))
  const other = await fellowOf(test)
  for (let retries = 0; retries < 4; retries += 1) {
    await pause(1_200)
    // Wakes the workers, which would otherwise look every five seconds.
    await upload(other.client, people(1))
  }
  await test.db.execute(sql`delete from away`)
  expect(await settled(client, body.id)).toMatchObject({ state: 'ready', total: 12 })
  await test.db.execute(sql`drop table away; drop function lose cascade`)
})

it('An attempt that another process has taken over does not count', { tags: 'slow' }, async () => {
  const { client } = await fellowOf(test)
  await test.db.execute(sql`create function far() returns trigger language plpgsql as $$
    begin new.furthest_row := 1000000; return new; end $$`)
  await test.db.execute(sql`create trigger far before insert on imports for each row execute function far()`)
  await test.db.execute(sql`create function slow() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.3); return null; end $$`)
  await test.db.execute(
    sql`create trigger slow before insert on import_rows for each statement execute function slow()`,
  )
  const { body } = await upload(client, people(6_000))
  const attempts = async () => (await getImport(test.db, body.id)).attempts
  await expect.poll(attempts).toBe(1)
  await test.db.update(imports).set({ done: 1_000_000 }).where(eq(imports.id, body.id))
  await expect.poll(attempts).toBe(0)
  await test.db.execute(sql`drop trigger far on imports`)
  await test.db.execute(sql`drop trigger slow on import_rows`)
})

describe('A reader that is killed', () => {
  it('three times without a higher row than before fails the import, which is not read again', {
    tags: 'slow',
  }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, people(3))
    await test.db.update(imports).set({ state: 'reading' }).where(eq(imports.id, id))
    const attempt = async () => countAttempt(test.db, await getImport(test.db, id))
    for (let killed = 0; killed < 2; killed += 1) await attempt()
    await test.db.update(imports).set({ attempts: 0, furthestRow: 5 }).where(eq(imports.id, id))
    for (let killed = 0; killed < 3; killed += 1) await attempt()
    await expect(attempt()).rejects.toThrow('This file could not be read')
  })

  it('in between changes nothing: the file is read again to its end', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { body } = await upload(client, people(6_000))
    for (let killed = 0; killed < 3; killed += 1) {
      await pause(300)
      killReaders()
    }
    expect(await settled(client, body.id)).toMatchObject({ state: 'ready', total: 6_000 })
    const [row] = await test.db.select().from(imports).where(eq(imports.id, body.id))
    expect(row?.attempts).toBe(0)
  })
})

describe('A step', () => {
  it('that waits for its turn says so', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { id, ...ready } = await prepare(client, people(1))
    expect(ready).not.toHaveProperty('isWaiting')
    await test.db.execute(
      sql`update imports set state = 'running', worked_at = now() - interval '6 seconds' where id = ${id}`,
    )
    expect((await client.get(`/api/imports/${id}`)).body.isWaiting).toBe(true)
    await test.db.execute(sql`update imports set worked_at = now() where id = ${id}`)
    expect((await client.get(`/api/imports/${id}`)).body).not.toHaveProperty('isWaiting')
  })
})
