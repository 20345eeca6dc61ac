import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { inject, onTestFinished } from 'vitest'
import { copyDataFolder } from '#server/test/embedded-templates.ts'
import { type EmbeddedClient, type EmbeddedOptions, openEmbedded } from '../client.ts'

export const silent = { info: () => {}, warn: () => {}, error: () => {} }

export const neverLost = (reason: Error) => {
  throw reason
}

/** A temporary folder for one test. */
export function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sourcebook-embedded-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Opens a database that is closed at the end of the test at the latest. */
export async function open(options: Partial<EmbeddedOptions>): Promise<EmbeddedClient> {
  const client = await openEmbedded({
    folder: undefined,
    statementTimeoutMs: 20_000,
    onLost: neverLost,
    log: silent,
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

export type Disk = 'as it is' | 'counting' | 'failing' | 'full' | 'unsynced' | 'recorded'

type Program = {
  process: ChildProcess
  /** The next line of its output; undefined when it has ended. */
  next: () => Promise<string | undefined>
  /** Kills it with SIGKILL. */
  kill: () => Promise<void>
  /** Waits for its end. */
  ended: () => Promise<{ code: number | null; stderr: string }>
}

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** Starts `program.ts` on a folder, and on a faulty disk once the file `<folder>.trigger` exists. */
export function startProgram(folder: string, act: string, disk: Disk = 'as it is'): Program {
  // It does not live long enough to profit from optimising compilation.
  const options = ['--liftoff-only', '--import', here('disk.mjs')]
  const child = spawn(process.execPath, [...options, here('program.ts'), folder, act], {
    env: { ...process.env, DISK: disk, DISK_FILE: folder, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exit = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const kill = async () => {
    child.kill('SIGKILL')
    await exit
  }
  onTestFinished(kill)
  return {
    process: child,
    next: async () => (await lines.next()).value,
    kill,
    ended: async () => {
      for (let line = await lines.next(); !line.done; ) line = await lines.next()
      const [code] = await exit
      return { code, stderr }
    },
  }
}

/** Reads the output of a program up to the line that begins with `word`, and returns that line. */
export async function lineOf(program: Program, word: string): Promise<string> {
  for (let line = await program.next(); line !== undefined; line = await program.next()) {
    if (line.startsWith(word)) return line
  }
  throw new Error(`The program ended without saying ${word}: ${(await program.ended()).stderr}`)
}

/** Reads until `many` more rows are acknowledged. Returns the number of the last one. */
export async function saveMore(program: Program, many: number): Promise<number> {
  for (let left = many; left > 1; left--) await lineOf(program, 'kept')
  return Number((await lineOf(program, 'kept')).split(' ')[1])
}

/** The rows that a program found. */
export const numbersIn = (line: string) => line.replace('found ', '').split(',').filter(Boolean).map(Number)

/** A temporary data folder for one test, with a database that has been opened before. */
export function preparedFolder(): string {
  const folder = path.join(newFolder(), 'data')
  copyDataFolder(inject('embedded'), folder)
  return folder
}
