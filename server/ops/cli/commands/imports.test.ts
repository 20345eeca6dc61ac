import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importFiles, importRows, imports as rows } from '#server/db/schema.ts'
import { act, importFile, prepare } from '#server/import/test/import-file.ts'
import { readSettings } from '#server/ops/settings.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { imports } from './imports.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const operate = async (...args: string[]) => {
  const lines: string[] = []
  const { database, db } = test
  const caller = { folder: '.', signal: new AbortController().signal, out: (line: string) => void lines.push(line) }
  const code = await imports.run({ database, db, settings: readSettings({}), ...caller }, args)
  return { code, lines }
}

describe('The operator', () => {
  it('lists imports with kind, size and who, in 80 columns', { tags: 'slow' }, async () => {
    const { client, account } = await fellowOf(test, { name: `Ada\u0007${' Long'.repeat(10)}` })
    const { id } = await prepare(client, 'Name\nUma Umber', undefined, `${'people '.repeat(20)}.csv`)
    const { lines } = await operate('list')
    expect(lines[0]).toMatch(/^ID +STATE +KIND +SIZE +ADDED$/)
    const at = lines.findIndex((line) => line.startsWith(id))
    expect(lines[at]).toMatch(/ready +founder +0\.0 MB +\d{4}-\d\d-\d\d$/)
    expect(lines[at + 1]).toMatch(/^ {2}Ada Long.*: people people/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    const json = JSON.parse((await operate('list', '--json')).lines.join(''))
    expect(json).toContainEqual(expect.objectContaining({ id, state: 'ready', bytes: 14, by: account.name }))
  })

  it('deletes an import with its file and rows, but not its records, and the audit log has it', {
    tags: 'slow',
  }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await importFile(client, 'Name\nVic Vale')
    const { code, lines } = await operate('delete', id)
    expect([code, lines]).toEqual([0, ['The import of people.csv is deleted. Its records stay.']])
    for (const table of [importFiles, importRows]) {
      expect(await test.db.$count(table, sql`import_id = ${id}`)).toBe(0)
    }
    expect(await test.db.$count(rows, sql`id = ${id}`)).toBe(0)
    expect((await client.get('/api/founders?search=Vic Vale')).body).toHaveLength(1)
    const { rows: entries } = (await test.db.execute(
      sql`select action, account_email from audit_log where object_id = ${id} and action = 'delete-import'`,
    )) as unknown as { rows: unknown[] }
    expect(entries).toEqual([{ action: 'delete-import', account_email: null }])
  })

  it('cancels what is read or runs, and is refused with a sentence otherwise', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    const { id } = await prepare(client, 'Name\nWim Wald')
    await expect(operate('cancel', id)).rejects.toThrow('Only an import that is being read or runs can be cancelled.')
    await test.db.execute(sql`update imports set state = 'running', started_at = now() where id = ${id}`)
    await expect(operate('delete', id)).rejects.toThrow('This import is still running. Cancel it first.')
    expect((await operate('cancel', id)).lines[0]).toContain('is cancelled')
    expect((await client.get(`/api/imports/${id}`)).body.state).toBe('cancelled')
    expect((await act(client, id, 'revert')).state).toBe('reverted')
  })

  it('gets the usage for anything else', async () => {
    for (const args of [[], ['list', 'x'], ['cancel'], ['delete', 'a', 'b'], ['run', 'x'], ['list', '--all']]) {
      expect((await operate(...args)).code).toBe(2)
    }
    await expect(operate('delete', 'x')).rejects.toThrow('"x" is not an id.')
    await expect(operate('delete', '01890000-0000-7000-8000-000000000000')).rejects.toThrow('no import with this id')
  })
})
