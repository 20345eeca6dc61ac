import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { copyDataFolder } from '#server/test/data-folder.ts'
import { productArguments } from '#server/test/product.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'
import { freshDatabaseSettings } from '#server/test/test-database.ts'

let settings: Record<string, string>
let server: ServerProcess | undefined
beforeEach(async () => {
  settings = await freshDatabaseSettings()
})
afterEach(async () => {
  await server?.end('SIGKILL')
  server = undefined
})

/** Without the line breaks of the terminal within a sentence. */
const onOneLine = (text: string) => text.replaceAll(/\n(?=.)/g, ' ')

type Outcome = { code: number; stdout: string; stderr: string }

/** The program behind `npm run operator -- …`. */
const operator = (args: string[], env = settings) =>
  new Promise<Outcome>((done) => {
    const program = [...productArguments('operator'), ...args]
    execFile(process.execPath, program, { env: { PATH: process.env.PATH, ...env } }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr: onOneLine(stderr) }),
    )
  })

const start = async () => {
  server = await startServer({ settings })
  return server
}

describe('The operator', { timeout: 60_000 }, () => {
  it('gets a list of all commands without a command, or with an unknown one', { tags: 'slow' }, async () => {
    for (const args of [[], ['destroy']]) {
      const { code, stdout, stderr } = await operator(args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('npm run operator -- COMMAND')
      expect(stderr).toContain('status')
      if (args.length > 0) expect(stderr).toContain('There is no command "destroy".')
    }
  })

  it('gets the usage of a command with wrong arguments', { tags: 'slow' }, async () => {
    const { code, stderr } = await operator(['status', 'please'])
    expect([code, stderr]).toEqual([2, 'npm run operator -- status\n'])
  })

  it('gets version, database, size, schema and row counts, with and without a running server', {
    tags: 'slow',
  }, async () => {
    const running = await start()
    const first = await operator(['status'])
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toMatch(/^Sourcebook {2}\d+\.\d+\.\d+\nDatabase {4}PostgreSQL \d+.*\nSize {8}[\d.]+ MB\n/)
    expect(first.stdout).toMatch(
      /Schema {6}\d+, up to date\nAccounts {4}0\nFounders {4}0\nCompanies {3}0\nNotes {7}0\n$/,
    )
    await running.end('SIGTERM')
    const second = await operator(['status'])
    expect([second.code, second.stderr]).toEqual([0, ''])
    const withoutSize = ({ stdout }: Outcome) => stdout.replace(/^Size.*$/m, '')
    expect(withoutSize(second)).toBe(withoutSize(first))
  })
})

describe('A command whose output is no longer read', { timeout: 60_000 }, () => {
  const unread = (args: string[]) =>
    new Promise<[code: number | null, stderr: string]>((done) => {
      const child = spawn(process.execPath, [...productArguments('operator'), ...args], {
        env: { PATH: process.env.PATH, ...settings },
      })
      child.stdout.destroy()
      let stderr = ''
      child.stderr.on('data', (chunk) => {
        stderr += chunk
      })
      child.on('close', (code) => done([code, stderr]))
    })

  it.each([[['status']], [['history', 'export']]])('ends quietly: %j', { tags: 'slow' }, async (args) => {
    expect(await unread(args)).toEqual([0, ''])
  })
})

describe('The operator of an embedded database', { timeout: 60_000 }, () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sourcebook-operator-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('reaches the database of a running server, of a killed one, and of one that has stopped', {
    tags: 'slow',
  }, async () => {
    copyDataFolder(inject('dataFolder'), folder)
    settings = { DATA_DIR: folder }
    const status = async () => {
      const { code, stdout, stderr } = await operator(['status'])
      expect([code, stderr]).toEqual([0, ''])
      return stdout.replace(/^Size.*$/m, '')
    }
    const running = await start()
    expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'postgres.json')).mode & 0o777).toBe(0o600)
    const first = await status()
    expect(first).toContain(`embedded, in ${folder}`)
    await running.end('SIGKILL')
    expect(await status()).toBe(first)
    const again = await start()
    expect(await status()).toBe(first)
    await again.end('SIGTERM')
    expect(await status()).toBe(first)
  })

  it('is refused a folder without a database, which is not created', { tags: 'slow' }, async () => {
    const none = join(folder, 'data')
    const { code, stderr } = await operator(['status'], { DATA_DIR: none })
    expect([code, stderr]).toEqual([
      1,
      `There is no database in the folder ${none}. Set DATA_DIR to the folder that has it.\n`,
    ])
    expect(existsSync(none)).toBe(false)
  })
})
