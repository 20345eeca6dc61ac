import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import { copyDataFolder } from '#server/test/data-folder.ts'
import { type PostgresServer, startPostgres } from '#server/test/postgres-server.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'

/** A temporary folder for one test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-reliability-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  return folder
}

/** The settings of a server that has to create its embedded database first. */
export const nothingYet = () => ({ DATA_DIR: join(newFolder(), 'data') })

/** The settings of a server on an embedded database of its own. */
export function embedded() {
  const settings = nothingYet()
  copyDataFolder(inject('dataFolder'), settings.DATA_DIR)
  return settings
}

export type Cluster = PostgresServer & {
  /** Queries as the superuser, on a connection of its own. */
  ask: (url: string, statement: string) => Promise<Record<string, unknown>[]>
}

/** A PostgreSQL that syncs every commit, as in production, for tests to damage; a standby of the other server, if given. */
export async function openCluster(settings: Record<string, string> = {}, standbyOf?: PostgresServer): Promise<Cluster> {
  const server = await startPostgres({ durable: true, settings, ...(standbyOf && { standbyOf }) })
  const ask = async (url: string, statement: string) => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }
  return { ...server, ask }
}

/** Starts a server that ends with the test at the latest. Prints the log of a failed test. */
export async function start(settings: Record<string, string>, nodeArguments: string[] = []): Promise<ServerProcess> {
  // Warnings are expected during trouble; an error is a bug.
  const server = await startServer({ settings: { LOG_LEVEL: 'error', ...settings }, nodeArguments })
  onTestFinished(async ({ task }) => {
    const { stderr } = await server.end('SIGKILL')
    if (task.result?.state === 'fail' && stderr !== '') process.stderr.write(`The log of the server:\n${stderr}\n`)
  })
  return server
}

/** Waits until `isSo`, and returns the duration in milliseconds. Throws after `withinMs`. */
export async function timeUntil(
  isSo: () => boolean | Promise<boolean>,
  withinMs: number,
  what: string,
): Promise<number> {
  const began = Date.now()
  while (!(await isSo())) {
    if (Date.now() - began > withinMs) throw new Error(`Not within ${withinMs} ms: ${what}`)
    await pause(20)
  }
  return Date.now() - began
}

export const isReady = async ({ url }: { url: string }) =>
  fetch(`${url}/readyz`).then(
    async (answer) => {
      await answer.body?.cancel()
      return answer.ok
    },
    () => false,
  )
