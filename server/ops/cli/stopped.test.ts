import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, rowsOf } from '#server/db/database.ts'
import { openDatabase } from '#server/db/open.ts'
import { readSettings } from '#server/ops/settings.ts'
import { productArguments } from '#server/test/product.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'
import { freshDatabaseSettings } from '#server/test/test-database.ts'

let settings: Record<string, string>
let server: ServerProcess
let folder: string
beforeAll(async () => {
  settings = await freshDatabaseSettings()
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-stopped-'))
  // Enough that a backup takes some seconds.
  await withDatabase((db) =>
    db.execute(sql`insert into settings (key, value)
      select 'filling-' || n, repeat(md5(n::text), 200) from generate_series(1, 5000) n`),
  )
  server = await startServer({ settings })
}, 120_000)
afterAll(async () => {
  await server?.end('SIGKILL')
  for (const made of [settings.DATA_DIR, folder]) if (made) rmSync(made, { recursive: true, force: true })
})

async function withDatabase(work: (db: Database) => Promise<unknown>) {
  const lost = (reason: Error) => {
    throw reason
  }
  const database = await openDatabase(readSettings({ ...settings, STATEMENT_TIMEOUT_SECONDS: '100' }), quietLog, lost)
  await work(database.db).finally(() => database.close())
}

/** The program behind `npm run backup -- FILE`. */
function startBackup(file: string) {
  const program = [...productArguments('operator'), 'backup', file]
  const child = spawn(process.execPath, program, { env: { PATH: process.env.PATH, ...settings } })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, stderr })),
  )
  return { child, ended }
}

/** Sends the signal during the backup; twice, as a terminal and `npm` do. */
async function stopped(file: string, signal: NodeJS.Signals, isUnderWay = async () => true) {
  const { child, ended } = startBackup(file)
  while (!existsSync(`${file}.part`) || statSync(`${file}.part`).size < 100 || !(await isUnderWay())) await pause(5)
  const began = Date.now()
  child.kill(signal)
  child.kill(signal)
  return { ...(await ended), took: Date.now() - began }
}

describe('A stopped backup', { timeout: 120_000 }, () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'ends immediately after %s with a sentence, and leaves no file',
    { tags: 'slow' },
    async (signal) => {
      const { code, stderr, took } = await stopped(join(folder, `${signal}.backup`), signal)
      expect([code, stderr]).toEqual([1, 'The backup was stopped, and its file was deleted.\n'])
      expect(took).toBeLessThan(5000)
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('is harmless: the server continues, and the next backup is complete', { tags: 'slow' }, async () => {
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    const file = join(folder, 'next.backup')
    const { code, stderr } = await startBackup(file).ended
    expect([code, stderr]).toEqual([0, ''])
    expect(readdirSync(folder)).toEqual(['next.backup'])
    rmSync(file)
  })

  it('ends as quickly while it waits for the database', { tags: 'slow' }, async () => {
    await withDatabase((db) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`lock table settings in access exclusive mode`)
        const waiting = sql`select 1 from pg_locks where not granted and relation = 'settings'::regclass`
        const isWaiting = async () => (await rowsOf(tx, waiting)).length > 0
        const { code, stderr, took } = await stopped(join(folder, 'waiting.backup'), 'SIGINT', isWaiting)
        expect([code, stderr]).toEqual([1, 'The command was stopped before it finished.\n'])
        expect(took).toBeLessThan(5000)
        expect(readdirSync(folder)).toEqual([])
      }),
    )
  })
})
