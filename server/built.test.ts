import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { releaseInto } from '#server/db/test/released-worlds.ts'
import { openAsItIs } from './db/open.ts'
import { readSettings } from './ops/settings.ts'
import { caller } from './test/http-caller.ts'
import { productArguments, productFolder } from './test/product.ts'
import { quietLog } from './test/quiet-log.ts'
import { startServer } from './test/server-process.ts'
import { bareDatabaseSettings } from './test/test-database.ts'

// Detects files that the build left out: the product runs in a folder without sources. The suites in `reliability/`
// start it on the embedded database.

const OLDER = 16

type Started = Awaited<ReturnType<typeof start>>

async function start(settings: Record<string, string>) {
  const server = await startServer({ settings })
  const { call, join: signUp } = caller()
  await signUp(server, 'visitor@mit.edu')
  return { ...server, call: (method: string, path: string, body?: object) => call(server, method, path, body) }
}

/** A temporary folder of one test. */
async function started(settings: Record<string, string>) {
  const server = await start(settings)
  onTestFinished(async () => void (await server.end('SIGKILL')))
  return server
}

/** The settings of a database of an older release. */
async function old() {
  const settings = await bareDatabaseSettings()
  const database = await openAsItIs(readSettings(settings), quietLog, (reason) => {
    throw reason
  })
  await releaseInto(database, OLDER).finally(() => database.close())
  return settings
}

const operate = async (settings: Record<string, string>, ...args: string[]) => {
  const env = { PATH: process.env.PATH, ...settings }
  const { stdout } = await promisify(execFile)(process.execPath, [...productArguments('operator'), ...args], { env })
  return stdout
}

describe('The built product', { timeout: 120_000 }, () => {
  let fresh: Started
  beforeAll(async () => {
    fresh = await start(await bareDatabaseSettings())
  })
  afterAll(() => fresh.end('SIGKILL'))

  it('has no source files in its folder', () => {
    for (const name of ['server', 'contract', 'web', 'scripts']) {
      expect([name, existsSync(join(productFolder(), name))]).toEqual([name, false])
    }
  })

  it('creates its database and stores records in it', async () => {
    const founder = { name: 'Zoë', linkedIn: 'https://linkedin.com/in/zoe', notes: 'n' }
    expect((await fresh.call('POST', '/founders', founder)).status).toBe(201)
    expect(await (await fresh.call('GET', '/founders?search=ZOË')).json()).toMatchObject([{ name: 'Zoë' }])
  })

  it('serves the page with every file that it names', async () => {
    for (const path of ['/auth', '/founders']) {
      const page = await (await fetch(fresh.url + path)).text()
      const files = [...page.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg))"/g)].map(([, file]) => file)
      expect(files.length).toBeGreaterThan(2)
      for (const file of files) expect([file, (await fetch(fresh.url + file)).status]).toEqual([file, 200])
    }
  })

  it('contains the modules that it loads on first use', { tags: 'slow' }, async () => {
    expect((await fetch(`${fresh.url}/api/openapi.json`)).status).toBe(200)
    const refused = await fresh.call('POST', '/account/password', {
      currentPassword: 'a long enough password',
      newPassword: 'password1',
    })
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('common')])
  })

  it('brings an older database up to date', { tags: 'slow' }, async () => {
    const upgraded = await started(await old())
    expect(await (await upgraded.call('GET', '/founders?search=imported')).json()).toMatchObject([{ name: 'Imported' }])
  })

  it("has the operator's commands: a backup of one database is restored into another", { tags: 'slow' }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sourcebook-built-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'whole.backup')
    const [from, to] = [await old(), await bareDatabaseSettings()]
    expect(await operate(from, 'backup', file)).toContain('Wrote')
    const printed = await operate(to, 'restore', file, '--without-ledger')
    for (const what of [
      'Records, values and fellows that were erased after that are back',
      'Their addresses are no longer refused',
      'Accounts that were disabled after that are enabled again',
      'fellows who left can sign in again',
      'managers who were demoted are managers again',
      'Passwords that were changed or reset after that are the former ones again',
    ]) {
      expect(printed.replaceAll(/\s+/g, ' ')).toContain(what)
    }
    expect(printed).toMatch(/history search --action account-disable --since \d{4}-\d\d-\d\d$/m)
    expect(await operate(to, 'status')).toMatch(/^Sourcebook {2}\d/)
    const restored = await started(to)
    expect(await (await restored.call('GET', '/founders?search=imported')).json()).toMatchObject([{ name: 'Imported' }])
  })
})
