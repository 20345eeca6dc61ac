import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { copyDataFolder } from '#server/test/data-folder.ts'
import { isOpenToAll } from '#server/test/open-folder.ts'
import { productArguments } from '#server/test/product.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'

const OWNER = { uid: 61_234, gid: 61_234 }
const STRANGER = { uid: 61_235, gid: 61_235 }

const canTry = process.geteuid?.() === 0 && isOpenToAll(process.cwd()) && isOpenToAll(tmpdir())

let folder: string
/** A folder that only root can enter, like root's home. */
let ofRoot: string
let data: string
let server: ServerProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sourcebook-root-'))
  chmodSync(folder, 0o755)
  ofRoot = join(folder, 'of-root')
  mkdirSync(ofRoot, { mode: 0o700 })
  data = join(folder, 'data')
})
afterEach(async () => {
  await server?.end('SIGKILL')
  server = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** The data folder of a service, with a database in it. */
function installed() {
  copyDataFolder(inject('dataFolder'), data)
  chmodSync(data, 0o700)
  for (const path of everythingIn(data)) chownSync(path, OWNER.uid, OWNER.gid)
}

const everythingIn = (root: string) => [
  root,
  ...readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) => join(root, name)),
]
/** The files in the data folder that the service cannot open. */
const notOfOwner = () => everythingIn(data).filter((path) => statSync(path).uid !== OWNER.uid)

const refusalOfStrangers = () =>
  `The folder ${data} belongs to the user ${OWNER.uid} and cannot be read (EACCES). Run the command as that user, or as root.\n`

/** Without the line breaks of the terminal within a sentence. */
const onOneLine = (text: string) => text.replaceAll(/\n(?=.)/g, ' ')

type Outcome = { code: number; stdout: string; stderr: string }

/** Runs a command as root, or as another user. */
const operator = (args: string[], as = {}, env: Record<string, string> = { DATA_DIR: data }) =>
  new Promise<Outcome>((done) => {
    const program = [...productArguments('operator'), ...args]
    const options = { env: { PATH: process.env.PATH, ...env }, ...as }
    execFile(process.execPath, program, options, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), stdout, stderr: onOneLine(stderr) }),
    )
  })

describe.runIf(canTry)('A command by root on the data of a service', { timeout: 120_000 }, () => {
  it('with the server stopped, keeps all data with the service and its file with root, and restores that file for the service', {
    tags: 'slow',
  }, async () => {
    installed()
    const file = join(ofRoot, 'whole.backup')
    expect(await operator(['backup', file])).toMatchObject({ code: 0, stderr: '' })
    expect([statSync(file).uid, statSync(file).mode & 0o777]).toEqual([0, 0o600])
    expect(notOfOwner()).toEqual([])
    rmSync(data, { recursive: true })
    mkdirSync(data, { mode: 0o700 })
    chownSync(data, OWNER.uid, OWNER.gid)
    expect(await operator(['restore', file, '--without-ledger'])).toMatchObject({ code: 0, stderr: '' })
    expect(notOfOwner()).toEqual([])
    server = await startServer({ settings: { DATA_DIR: data }, as: OWNER })
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  })

  it('with the server running, keeps its file with root, where the server has no access', async () => {
    installed()
    server = await startServer({ settings: { DATA_DIR: data }, as: OWNER })
    const file = join(ofRoot, 'whole.backup')
    const { code, stdout, stderr } = await operator(['backup', file])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(new RegExp(`^Wrote \\d+ rows to ${file} `))
    expect([statSync(file).uid, statSync(file).mode & 0o777]).toEqual([0, 0o600])
    expect(readdirSync(ofRoot)).toEqual(['whole.backup'])
    expect(await operator(['status'], STRANGER)).toMatchObject({ code: 1, stderr: refusalOfStrangers() })
  })

  it('is refused where the service can access its folder only as its working directory', { tags: 'slow' }, async () => {
    installed()
    const hidden = join(ofRoot, 'data')
    renameSync(data, hidden)
    const { stderr, code } = await operator(['status'], {}, { DATA_DIR: hidden })
    expect([code, stderr]).toEqual([
      1,
      `The folder ${hidden} belongs to the user ${OWNER.uid}, who cannot reach it from here (EACCES). Start the server, and run the command while it runs.\n`,
    ])
  })

  it('by another user is refused with a sentence, and changes nothing', { tags: 'slow' }, async () => {
    installed()
    expect(await operator(['status'], STRANGER)).toEqual({ code: 1, stdout: '', stderr: refusalOfStrangers() })
    expect(notOfOwner()).toEqual([])
  })

  it('reads the settings of the service from their file', { tags: 'slow' }, async () => {
    installed()
    const file = join(ofRoot, 'sourcebook.env')
    writeFileSync(file, `# Of the service\nDATA_DIR=${data}\nMAIL_FROM="Book <book@example.com>"\n`, { mode: 0o600 })
    const { code, stdout, stderr } = await operator(['status', '--settings', file], {}, {})
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`embedded, in ${data}`)
    expect((await operator(['--settings', `${file}.none`, 'status'], {}, {})).stderr).toBe(
      `The settings in ${file}.none cannot be read (ENOENT).\n`,
    )
  })
})
