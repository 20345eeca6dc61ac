import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '#server/test/server-process.ts'

/** The environment variable with the data folder of a product that has started and stopped once. */
export const EMPTY_DATABASE = 'EMPTY_DATABASE'

/** Creates one empty database per run, because that takes seconds; every product starts from a copy. */
export default async function setup() {
  const folder = await mkdtemp(join(tmpdir(), 'sourcebook-empty-'))
  const server = await startServer({ settings: { DATA_DIR: folder } })
  await server.end('SIGTERM')
  process.env[EMPTY_DATABASE] = folder
  return () => rm(folder, { recursive: true })
}
