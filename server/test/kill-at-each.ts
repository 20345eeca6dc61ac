import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'
import { openEmbedded } from '#server/db/embedded/client.ts'
import { overEmbedded } from '#server/db/open.ts'
import { quietLog } from './quiet-log.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { freshDatabaseSettings } from './test-database.ts'

const PRELOAD = join(import.meta.dirname, 'kill-at.mjs')

type KillAtEach<State> = {
  /** Brings a new product to the state before the act. */
  prepare: (server: ServerProcess) => Promise<void>
  act: (server: ServerProcess) => Promise<void>
  /** The state to compare. */
  read: (db: Database) => Promise<State>
}

/** The states after kills. Equal states are merged, with one of their folders. */
export type Left<State> = { state: State; folder: string; statements: number[] }

/**
 * Runs an act on copies of one embedded database, and kills the server (`kill -9`) at each statement of its
 * transactions in turn, until a run ends without a kill. Returns the states in the order of the statements: first the
 * state before the act, last the state after it.
 */
export async function killAtEach<State>({ prepare, act, read }: KillAtEach<State>): Promise<Left<State>[]> {
  const { DATA_DIR: origin } = (await freshDatabaseSettings()) as { DATA_DIR: string }
  const first = await startServer({ settings: { DATA_DIR: origin } })
  await prepare(first)
  await first.end('SIGTERM')
  const left: Left<State>[] = []
  const see = async (folder: string, statement: number) => {
    const state = await readCopy(folder, read)
    const known = left.find((one) => JSON.stringify(one.state) === JSON.stringify(state))
    if (known === undefined) left.push({ state, folder, statements: [statement] })
    else known.statements.push(statement)
    if (known !== undefined) remove(folder)
  }
  await see(await copyOf(origin), 0)
  for (let statement = 1; ; statement += 1) {
    const folder = await copyOf(origin)
    const file = `${folder}.kill-at`
    const settings = { DATA_DIR: folder, KILL_AT: file }
    const server = await startServer({ settings, nodeArguments: ['--import', PRELOAD] })
    writeFileSync(file, String(statement))
    const isKilled = await endsWithin(server, act)
    if (!isKilled) await server.end('SIGKILL')
    rmSync(file)
    await see(folder, statement)
    if (!isKilled) return left
  }
}

/** Whether the server ends during the act. Throws the error of an act that fails while the server keeps running. */
async function endsWithin(server: ServerProcess, act: (server: ServerProcess) => Promise<void>): Promise<boolean> {
  const ended = server.ended.then(() => true)
  const acted = act(server).then(
    () => false,
    async (error) => {
      if (await Promise.race([ended, pause(5_000, false)])) return true
      throw error
    },
  )
  return Promise.race([ended, acted])
}

async function copyOf(folder: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'sourcebook-killed-'))
  cpSync(folder, copy, { recursive: true })
  return copy
}

export const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

/** Opens a copy, because opening a database recovers it. */
async function readCopy<State>(folder: string, read: (db: Database) => Promise<State>): Promise<State> {
  const copy = await copyOf(folder)
  const onLost = (reason: Error) => {
    throw reason
  }
  const database = overEmbedded(await openEmbedded({ folder: copy, statementTimeoutMs: 10_000, onLost, log: quietLog }))
  try {
    return await read(database.db)
  } finally {
    await database.close()
    remove(copy)
  }
}
