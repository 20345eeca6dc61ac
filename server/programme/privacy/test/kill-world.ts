import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'drizzle-orm'
import { type Database, rowsOf } from '#server/db/database.ts'
import { LEDGER_FILE, parseLedger } from '#server/ledger/lines.ts'
import { caller } from '#server/test/http-caller.ts'
import { productArguments } from '#server/test/product.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'
import { dumpOf, tracesByPlace } from './traces.ts'

const PLANTED = ['Zoraida', 'zoraida-king', 'sold a brewery', 'plays chess', 'about the barn', 'walnut']

/** What is left of a person, in the database and in the ledger. */
export type Left = {
  /** The tables in which the person still is. */
  tables: string[]
  /** The entries of erasures in the audit log. */
  entries: number
  linesInTable: number
  linesInFile: number
}

export async function readLeft(db: Database, folder: string): Promise<Left> {
  const count = async (from: ReturnType<typeof sql>) =>
    (await rowsOf<{ count: number }>(db, sql`select count(*)::int as count from ${from}`))[0]?.count ?? 0
  const file = join(folder, LEDGER_FILE)
  const lines = existsSync(file) ? parseLedger(file, readFileSync(file)).lines : []
  return {
    tables: Object.keys(tracesByPlace(await dumpOf(db), PLANTED)).sort(),
    entries: await count(sql`audit_log where action = 'erase' and kind = 'erasure'`),
    linesInTable: await count(sql`ledger where kind = 'erased'`),
    linesInFile: lines.filter(({ kind }) => kind === 'erased').length,
  }
}

/** A person in a record, one merged into it, a deleted one, a note elsewhere, and a row of a file. */
export function createKillWorld() {
  const { call, headers, join: signUp } = caller()
  let refs: string[] = []
  const send = async (server: ServerProcess, method: string, path: string, body?: object) => {
    const answer = await call(server, method, path, body)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return answer.status === 204 ? undefined : await answer.json()
  }
  async function importRow(server: ServerProcess) {
    const answer = await fetch(`${server.url}/api/imports?name=people.csv`, {
      method: 'POST',
      headers: { ...headers(), 'content-type': 'application/octet-stream' },
      body: 'Name,Remark\nZoraida King,Allergic to walnut',
    })
    const { id } = (await answer.json()) as { id: string }
    for (let state = 'reading'; state === 'reading'; )
      ({ state } = (await send(server, 'GET', `/imports/${id}`)) as never)
  }
  return {
    async prepare(server: ServerProcess, folder: string) {
      await signUp(server)
      const program = [...productArguments('operator'), 'accounts', 'make-manager', 'ada@mit.edu']
      await promisify(execFile)(process.execPath, program, { env: { DATA_DIR: folder } })
      const add = async (handle: string, notes: string) => {
        const founder = { name: 'Zoraida King', linkedIn: `https://www.linkedin.com/in/${handle}`, notes }
        return (await send(server, 'POST', '/founders', founder)) as { id: string }
      }
      const [kept, twin] = [await add('zoraida-king', 'She sold a brewery'), await add('zoraida-k', 'The same')]
      const gone = await add('zoraida-x', 'Another one')
      await send(server, 'POST', `/notes/founder/${kept.id}`, { content: 'Her son plays chess' })
      await send(server, 'DELETE', `/founders/${gone.id}`)
      const versions = { [kept.id]: 1, [twin.id]: 1 }
      await send(server, 'POST', '/records/merge', { survivorId: kept.id, duplicateId: twin.id, versions, choices: {} })
      const company = { name: 'Acme', website: 'https://acme.example', description: 'Anvils', notes: 'Met' }
      const { id } = (await send(server, 'POST', '/companies', company)) as { id: string }
      await send(server, 'POST', `/notes/company/${id}`, { content: 'Ask Zoraida King about the barn' })
      await importRow(server)
      const hits = (await send(server, 'POST', '/programme/privacy/search', { names: ['Zoraida King'] })) as {
        ref: string
      }[]
      refs = hits.map(({ ref }) => ref)
    },
    erase: async (server: ServerProcess) =>
      void (await send(server, 'POST', '/programme/privacy/erase', { refs, reason: 'asked' })),
    /** Starts the product on the folder after a kill, which completes what the ledger names. */
    async restart(folder: string) {
      const server = await startServer({ settings: { DATA_DIR: folder } })
      await server.end('SIGTERM')
    },
  }
}

/** Everything is erased. */
export const ERASED: Left = { tables: [], entries: 1, linesInTable: 1, linesInFile: 1 }
