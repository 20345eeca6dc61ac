import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { recordVisitorDenied } from '#server/audit-log/visitors-denied.ts'
import { auditLog } from '#server/db/schema.ts'
import { readSettings } from '#server/ops/settings.ts'
import { makeAccount, makeFounder } from '#server/test/factories.ts'
import { openTestDatabase, type TestDatabase } from '#server/test/test-database.ts'
import { history } from './commands/history.ts'

let database: TestDatabase
let id: string
beforeAll(async () => {
  database = await openTestDatabase()
  const { db } = database
  const ada = await makeAccount(db, { email: 'ada@mit.edu' })
  await recordAuditEntry(db, {
    action: 'login',
    by: { ...ada, ip: '10.0.0.1', requestId: 'r' },
    kind: 'account',
    objectId: ada.id,
  })
  await recordVisitorDenied(db, {
    ...{ action: 'login', by: { email: 'bob@mit.edu' } },
    detail: { method: 'POST', path: '/api/auth/login', status: 401 },
  })
  id = (await makeFounder(db, { creator: ada, name: '=1+1', notes: 'a,"b"\nc' })).id
})
afterAll(() => database.close())

/** The output of the command, and its exit code. */
const operator = async (...args: string[]) => {
  const lines: string[] = []
  const out = (line: string) => void lines.push(line)
  const { signal } = new AbortController()
  const context = { database, db: database.db, settings: readSettings({}), folder: '.', signal, out }
  return { code: await history.run(context, args), lines }
}

describe('The operator searches history', () => {
  it('newest first, each row in lines of at most 80 columns', async () => {
    const { code, lines } = await operator('search')
    expect(code).toBe(0)
    expect(Math.max(...lines.flatMap((line) => line.split('\n')).map(({ length }) => length))).toBeLessThanOrEqual(80)
    expect(lines.map((line) => line.split('  ').slice(1, 4))).toEqual([
      ['ada@mit.edu', '-', 'create'],
      ['bob@mit.edu', '-', 'refused login'],
      ['ada@mit.edu', '10.0.0.1', 'login'],
    ])
    expect(lines[0]?.replaceAll('\n  ', '')).toContain(`founder  ${id}  after {"name":"=1+1"`.slice(0, 50))
  })

  it.each([
    [['--person', 'Bob@mit.edu'], ['refused login']],
    [
      ['--action', 'login'],
      ['refused login', 'login'],
    ],
    [['--kind', 'founder'], ['create']],
    [['--limit', '1'], ['create']],
    [['--since', '2020-01-01', '--until', '2020-02-01'], []],
    [
      ['--person', 'ada@mit.edu', '--since', '2020-01-01T00:00:00Z'],
      ['create', 'login'],
    ],
  ])('by %j', async (words, actions) => {
    const { lines } = await operator('search', ...words)
    expect(lines.map((line) => line.split('  ')[3])).toEqual(actions)
  })

  it('by the id of a record', async () => {
    expect((await operator('search', '--id', id)).lines).toHaveLength(1)
  })

  it('gets the usage for invalid arguments', async () => {
    for (const words of [[], ['search', '--colour', 'red'], ['search', 'more'], ['export', '--format', 'xml']]) {
      expect((await operator(...words)).code).toBe(2)
    }
    await expect(operator('search', '--since', 'yesterday')).rejects.toThrow('"yesterday" is not a time.')
    await expect(operator('search', '--id', 'x')).rejects.toThrow('"x" is not an id.')
    await expect(operator('search', '--limit', '0')).rejects.toThrow('The limit must be')
  })
})

describe('The operator exports history', () => {
  it('as JSON lines, oldest first, all columns, and the export is in the history too', async () => {
    const { lines } = await operator('export', '--format', 'jsonl')
    const rows = lines.map((line) => JSON.parse(line))
    expect(rows.map(({ action }) => action)).toEqual(['login', 'login', 'create', 'export'])
    expect(rows[0]).toMatchObject({ accountEmail: 'ada@mit.edu', ip: '10.0.0.1', requestId: 'r', result: 'done' })
    expect(rows[0].at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(rows[3].detail).toEqual({ format: 'jsonl' })
  })

  it('as CSV of RFC 4180, without formulas', async () => {
    await database.db.insert(auditLog).values({
      ...{ action: '=HYPERLINK("x")', accountEmail: '+1@mit.edu', detail: { a: 'b,"c"' } },
    })
    const { lines } = await operator('export', '--since', '2020-01-01')
    expect(lines[0]).toBe('id,at,accountId,accountEmail,ip,requestId,action,kind,objectId,result,before,after,detail\r')
    expect(lines.at(-2)).toContain(`,'+1@mit.edu,,,"'=HYPERLINK(""x"")",,,done,,,"{""a"":""b,\\""c\\""""}"\r`)
  })

  it('of more rows than one batch', async () => {
    for (const table of ['audit_log', 'denied_requests']) {
      await database.execute(`insert into ${table} (action) select 'many' from generate_series(1, 1250)`)
    }
    const { lines } = await operator('export', '--action', 'many', '--format', 'jsonl')
    const rows = lines.map((line) => JSON.parse(line))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(2500)
    expect(rows.map(({ result }) => result)).toEqual(
      Array.from(rows, (_, index) => (index < 1250 ? 'done' : 'refused')),
    )
  })
})
