import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import type { Import } from '#contract/import.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { csv } from '#server/import/test/import-file.ts'
import { caller } from '#server/test/http-caller.ts'
import { killAtEach, type Left, remove } from '#server/test/kill-at-each.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'

// On PostgreSQL a batch is the same transaction. There, imports are killed at random moments (crash.long.test.ts).
const folders: string[] = []
afterAll(() => folders.forEach(remove))

/** Rows of each outcome in one batch: one repeats an existing record, one is refused. */
const FILE = csv(
  'Name,LinkedIn,Rating',
  ...['Quentin Vasquez', 'Brigid Oyelaran', 'Tomasz Lindqvist'].map((name, at) => `${name},linkedin.com/in/p${at},5`),
  'Here Before,linkedin.com/in/here,9',
  'Refused Row,linkedin.com/in/refused,99',
)
const NAMES = ['Brigid Oyelaran', 'Here Before', 'Quentin Vasquez', 'Tomasz Lindqvist']

type State = {
  import: { state: string; done: number; counts: Record<string, number> }
  rows: { row: number; outcome: string; has_record: boolean }[]
  records: { name: string; rating: number; version: number }[]
  acts: { action: string; count: number }[]
}

async function read(db: Database): Promise<State> {
  const [record] = await rowsOf<State['import']>(db, sql`select state, done, counts from imports`)
  return {
    import: record as State['import'],
    rows: await rowsOf(db, sql`select row, outcome, record_id is not null as has_record from import_rows order by row`),
    records: await rowsOf(db, sql`select name, rating, version from records order by name, id`),
    acts: await rowsOf(db, sql`select action, count(*)::int as count from audit_log group by action order by action`),
  }
}

function startWorld() {
  const { call, headers, join } = caller()
  let id = ''
  const get = async (server: ServerProcess) => (await (await call(server, 'GET', `/imports/${id}`)).json()) as Import
  const settled = async (server: ServerProcess) => {
    for (;;) {
      const now = await get(server)
      if (!['reading', 'running', 'reverting'].includes(now.state)) return now
      await pause(50)
    }
  }
  const act = (what: 'run' | 'revert') => async (server: ServerProcess) => {
    const { status } = await call(server, 'POST', `/imports/${id}/${what}`)
    if (status !== 202) throw new Error(`${what} answered ${status}`)
    await settled(server)
  }
  return {
    prepare: async (server: ServerProcess) => {
      await join(server)
      const here = { name: 'Here Before', linkedIn: 'https://linkedin.com/in/here', notes: 'Notes', rating: 1 }
      await call(server, 'POST', '/founders', here)
      const answer = await fetch(`${server.url}/api/imports?name=people.csv`, {
        method: 'POST',
        headers: { ...headers(), 'content-type': 'application/octet-stream' },
        body: FILE,
      })
      id = ((await answer.json()) as Import).id
      await settled(server)
      await call(server, 'PATCH', `/imports/${id}`, { duplicates: 'update' })
      const { counts } = await settled(server)
      expect(counts).toMatchObject({ created: 3, updated: 1, refused: 1 })
    },
    run: act('run'),
    revert: act('revert'),
    /** Starts the product on the folder after a kill, and waits until its import has ended. */
    goOn: async (folder: string) => {
      const server = await startServer({ settings: { DATA_DIR: folder } })
      const { state } = await settled(server)
      const founders = (await (await call(server, 'GET', '/founders')).json()) as { name: string; rating: number }[]
      await server.end('SIGKILL')
      return { state, founders: founders.map(({ name, rating }) => ({ name, rating })).toSorted(byName) }
    },
  }
}

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)

/** The states after the kills: the state of the import and its progress. */
function summary(left: Left<State>[]) {
  folders.push(...left.map(({ folder }) => folder))
  console.info(left.map(({ state, statements }) => `${state.import.state} ${state.import.done}: ${statements.join()}`))
  return left.map(({ state }) => `${state.import.state} ${state.import.done}`)
}
const withoutImport = ({ state: { rows, records } }: Left<State>) => ({ rows, records })

describe('kill -9 at every statement of a batch leaves the state before or after it', {
  timeout: 900_000,
}, () => {
  it('of an import, which continues and adds each row once', async () => {
    const { prepare, run, goOn } = startWorld()
    const left = await killAtEach({ prepare, act: run, read })
    expect(summary(left)).toEqual(['ready 5', 'running 0', 'running 5', 'done 5'])
    const [before, begun, batch, after] = left as [Left<State>, Left<State>, Left<State>, Left<State>]
    expect(withoutImport(begun)).toEqual(withoutImport(before))
    expect(withoutImport(batch)).toEqual(withoutImport(after))
    expect(after.state.records.map(({ name }) => name)).toEqual(NAMES)
    expect(begun.statements.length).toBeGreaterThan(8)
    const founders = after.state.records.map(({ name, rating }) => ({ name, rating }))
    for (const { folder } of [begun, batch]) expect(await goOn(folder)).toEqual({ state: 'done', founders })
  })

  it('of a revert, which continues and reverts each row once', async () => {
    const { prepare, run, revert, goOn } = startWorld()
    const prepareRevert = async (server: ServerProcess) => {
      await prepare(server)
      await run(server)
    }
    const left = await killAtEach({ prepare: prepareRevert, act: revert, read })
    expect(summary(left)).toEqual(['done 5', 'reverting 0', 'reverting 4', 'reverted 4'])
    const [before, begun, batch, after] = left as [Left<State>, Left<State>, Left<State>, Left<State>]
    expect(withoutImport(begun)).toEqual(withoutImport(before))
    expect(withoutImport(batch)).toEqual(withoutImport(after))
    expect(begun.statements.length).toBeGreaterThan(8)
    const founders = [{ name: 'Here Before', rating: 1 }]
    for (const { folder } of [begun, batch]) expect(await goOn(folder)).toEqual({ state: 'reverted', founders })
  })
})
