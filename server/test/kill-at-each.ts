import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#server/db/database.ts'
import { openAsItIs } from '#server/db/open.ts'
import { readSettings } from '#server/ops/settings.ts'
import { copyDataFolder } from './data-folder.ts'
import { quietLog } from './quiet-log.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { freshFolderSettings } from './test-database.ts'

const PRELOAD = join(import.meta.dirname, 'kill-at.mjs')

type KillAtEach<State> = {
  /** Brings a new product to the state before the act. */
  prepare: (server: ServerProcess, folder: string) => Promise<void>
  act: (server: ServerProcess) => Promise<void>
  /** The state to compare. */
  read: (db: Database, folder: string) => Promise<State>
  /** Whether each statement is made before the kill. */
  when?: 'after' | 'before'
}

/** The states after kills. Equal states are merged, with one of their folders. */
export type Left<State> = { state: State; folder: string; statements: number[] }

/**
 * Runs an act on copies of one embedded database, and kills the server (`kill -9`) at each statement of its
 * transactions in turn, until a run ends without a kill. Returns the states in the order of the statements: first the
 * state before the act, last the state after it.
 */
export async function killAtEach<State>({
  prepare,
  act,
  read,
  when = 'after',
}: KillAtEach<State>): Promise<Left<State>[]> {
  const origin = await prepared(prepare)
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
    const isKilled = await killIn(folder, `${statement} ${when}`, act)
    await see(folder, statement)
    if (!isKilled) return left
  }
}

/** Runs an act once, and kills the server where `kill-at.mjs` is told to. Returns the folder that is left. */
export async function killOnce({
  prepare,
  act,
  at,
}: Pick<KillAtEach<unknown>, 'prepare' | 'act'> & { at: string }): Promise<string> {
  const folder = await prepared(prepare)
  if (!(await killIn(folder, at, act))) throw new Error(`Nothing was killed at ${at}`)
  return folder
}

/** The folder of a new product in the state before the act. */
async function prepared(prepare: KillAtEach<unknown>['prepare']): Promise<string> {
  const { DATA_DIR: origin } = await freshFolderSettings()
  const server = await startServer({ settings: { DATA_DIR: origin } })
  await prepare(server, origin)
  await server.end('SIGTERM')
  return origin
}

async function killIn(folder: string, at: string, act: KillAtEach<unknown>['act']): Promise<boolean> {
  const file = `${folder}.kill-at`
  const settings = { DATA_DIR: folder, KILL_AT: file }
  const server = await startServer({ settings, nodeArguments: ['--import', PRELOAD] })
  // Renamed, because the server may look for it at any moment.
  writeFileSync(`${file}.new`, at)
  renameSync(`${file}.new`, file)
  const isKilled = await endsWithin(server, act)
  if (!isKilled) await server.end('SIGKILL')
  // The database ends after it.
  while (existsSync(join(folder, 'postgres/postmaster.pid'))) await pause(20)
  rmSync(file)
  return isKilled
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
  copyDataFolder(folder, copy)
  return copy
}

export const remove = (folder: string) => rmSync(folder, { recursive: true, force: true })

/** Opens a copy, because opening a database recovers it. */
export async function readCopy<State>(folder: string, read: KillAtEach<State>['read']): Promise<State> {
  const copy = await copyOf(folder)
  const onLost = (reason: Error) => {
    throw reason
  }
  const database = await openAsItIs(readSettings({ DATA_DIR: copy }), quietLog, onLost)
  try {
    return await read(database.db, copy)
  } finally {
    await database.close()
    remove(copy)
  }
}
