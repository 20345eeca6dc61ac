import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OpenDatabase } from '#server/db/database.ts'
import { imports } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { readSettings } from '#server/ops/settings.ts'
import { deleteRecords } from '#server/records/write/write.ts'
import { makeAccount, makeFounder, makeImport } from '#server/test/factories.ts'
import { openBareDatabase, openTestDatabase, type TestDatabase } from '#server/test/test-database.ts'
import { commands } from './commands.ts'
import { runCommand } from './run-command.ts'

const WIDTH = 80
/** Long, as names of people and files may be. */
const LONG = 'Maria Magdalena Wilhelmina van der Westhuizen-Featherstonehaugh of the Northern Provinces'
const EMAIL = 'maria.magdalena.wilhelmina.van.der.westhuizen@student.universiteit.example.edu'

let folder: string
let database: TestDatabase
let empty: OpenDatabase
let ids: { import: string; deleted: string }
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-columns-'))
  database = await openTestDatabase()
  empty = await openBareDatabase()
  const { db } = database
  const account = await makeAccount(db, { name: LONG, email: EMAIL })
  await makeAccount(db, { email: 'another@mit.edu', role: 'manager' })
  const { id } = await makeFounder(db, { creator: account, name: LONG })
  await deleteRecords(db, founderKind, [id])
  const file = await makeImport(db, { importer: account })
  await db
    .update(imports)
    .set({ fileName: `${LONG}.csv`, bytes: 52_000_000, state: 'reading' })
    .where(eq(imports.id, file.id))
  ids = { import: file.id, deleted: id }
})
afterAll(async () => {
  await database.close()
  await empty.close()
  rmSync(folder, { recursive: true, force: true })
})

const accountVerbs = [
  ...['approve', 'verify', 'make-manager', 'demote', 'end-sessions', 'two-factor-off', 'reset', 'disable'],
  ...['allow', 'leave', 'enable'],
]

/** Calls of each command, in this order, a wrong one and a failing one among them. */
const calls = (): Record<string, string[][]> => ({
  status: [[], ['please']],
  accounts: [
    ...[['list'], ['invite'], ['invite', 'new@mit.edu'], ['invite', EMAIL], ['approve', `x${EMAIL}`], ['frobnicate']],
    ...accountVerbs.map((verb) => [verb, EMAIL]),
    ['list', '--search', 'maria'],
  ],
  history: [['search'], ['search', '--person', EMAIL], ['search', '--since', LONG], []],
  imports: [['list'], ['cancel', ids.import], ['cancel', ids.import], ['delete', ids.import], ['delete', LONG], []],
  records: [['deleted'], ['restore', ids.deleted], ['restore', ids.deleted], ['restore', LONG], ['deleted'], []],
  stages: [['list'], ['add', LONG], ['add', LONG], ['list'], ['rename', LONG, `${LONG} again`], ['frobnicate'], []],
  reasons: [['list'], ['add', LONG], ['list'], ['frobnicate'], []],
  sending: [['on'], []],
  compact: [[], ['please']],
  backup: [['all.backup'], ['all.backup', '--force'], []],
  restore: [['all.backup'], ['all.backup', '--without-ledger'], []],
})

it('Every command prints lines of at most 80 columns, except for links', {
  tags: 'slow',
  timeout: 120_000,
}, async () => {
  expect(Object.keys(calls()).sort()).toEqual(commands.map(({ name }) => name).sort())
  for (const [name, runs] of Object.entries(calls())) {
    const command = commands.find((one) => one.name === name)
    if (command === undefined) continue
    const open = name === 'restore' ? empty : database
    const settings = readSettings({ DATA_DIR: join(folder, name), BACKUP_DIR: join(folder, LONG, 'backups') })
    for (const args of runs) {
      const lines: string[] = []
      const print = (text: string) => void lines.push(...text.split('\n'))
      const { signal } = new AbortController()
      const context = { database: open, db: open.db, settings, folder, signal, out: print, complain: print }
      if (command.withFile === undefined) await runCommand(command, context, args)
      else
        await command.withFile(
          context,
          args,
          async (file) => void (await runCommand(command, { ...context, ...file }, args)),
        )
      const isLink = (line: string) => /^https?:\/\/\S+$/.test(line)
      const long = lines.filter((line) => line.length > WIDTH && !isLink(line))
      expect([name, args, long]).toEqual([name, args, []])
    }
  }
})
