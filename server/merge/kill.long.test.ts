import { sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { type Database, rowsOf } from '#server/db/database.ts'
import { recordData } from '#server/record-features.ts'
import { namesIn } from '#server/records/record-data.ts'
import { caller } from '#server/test/http-caller.ts'
import { killAtEach, type Left, remove } from '#server/test/kill-at-each.ts'
import type { ServerProcess } from '#server/test/server-process.ts'

// On PostgreSQL, a broken connection has the same effect as a killed server (crash.long.test.ts).
const folders: string[] = []
afterAll(() => folders.forEach(remove))

const TABLES = recordData.filter(({ merge }) => merge !== 'none').map((data) => namesIn(data).table)
/** Ids and times of a merge differ from run to run, so only their presence is compared. */
const OF_THE_RUN = ['merged_at', 'undone_at', 'change_id', 'made_id', 'made_at', 'at', 'request_id', 'detail']
const OWN_ID = ['merges', 'audit_log', 'denied_requests']

/** Each row of each table with record data. */
async function read(db: Database) {
  const state: Record<string, unknown[]> = {}
  for (const table of TABLES) {
    const vague = sql.param(`{${[...OF_THE_RUN, ...(OWN_ID.includes(table) ? ['id'] : [])].join()}}`)
    const rows = await rowsOf<{ row: unknown }>(
      db,
      sql`select (
          select jsonb_object_agg(key, case when key = any(${vague}::text[]) and value <> 'null' then '"given"' else value end)
          from jsonb_each(to_jsonb(one))
        ) as row from ${sql.raw(table)} one`,
    )
    state[table] = rows.map(({ row }) => row).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  }
  return state
}

type Answer = { id: string }

function startWorld() {
  const { call, join } = caller()
  const [a, b] = [{ id: '' }, { id: '' }]
  let mergeId = ''
  const post = async (server: ServerProcess, path: string, body: object) => {
    const answer = await call(server, 'POST', path, body)
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return (await answer.json()) as Answer & { mergeId: string }
  }
  const add = async (server: ServerProcess, name: string) => {
    const founder = { name, linkedIn: `https://www.linkedin.com/in/${name}`, notes: name }
    const { id } = await post(server, '/founders', founder)
    await post(server, `/notes/founder/${id}`, { content: 'Noted' })
    return id
  }
  const world = {
    prepare: async (server: ServerProcess) => {
      await join(server)
      a.id = await add(server, 'Ada')
      b.id = await add(server, 'Ida')
    },
    /** The duplicate was found first, and all its values are chosen, so that every part of a merge runs. */
    merge: async (server: ServerProcess) => {
      const choices = { name: 'duplicate', linkedIn: 'duplicate', notes: 'both' }
      const versions = { [a.id]: 1, [b.id]: 1 }
      const merged = await post(server, '/records/merge', { survivorId: b.id, duplicateId: a.id, versions, choices })
      mergeId = merged.mergeId
    },
    undo: async (server: ServerProcess) => void (await post(server, `/merges/${mergeId}/undo`, {})),
  }
  return world
}

function expectBeforeOrAfter(left: Left<unknown>[]) {
  folders.push(...left.map(({ folder }) => folder))
  const [before, after] = left.map(({ statements }) => statements)
  console.info(`state before after ${before?.length} kills, state after after ${after?.length}`)
  expect(left).toHaveLength(2)
  expect(before?.length).toBeGreaterThan(10)
  // The kill after COMMIT, and the run without a kill.
  expect(after).toHaveLength(2)
}

describe('kill -9 at every statement leaves the state before or after the call', { timeout: 600_000 }, () => {
  it('of a merge', async () => {
    const { prepare, merge } = startWorld()
    expectBeforeOrAfter(await killAtEach({ prepare, act: merge, read }))
  })

  it('of an undo', async () => {
    const { prepare, merge, undo } = startWorld()
    const prepareUndo = async (server: ServerProcess) => {
      await prepare(server)
      await merge(server)
    }
    expectBeforeOrAfter(await killAtEach({ prepare: prepareUndo, act: undo, read }))
  })
})
