import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { caller } from '#server/test/http-caller.ts'
import { isOpenToAll } from '#server/test/open-folder.ts'
import { productFolder } from '#server/test/product.ts'
import { PATIENCE_MS } from './sizes.ts'
import { newFolder, start } from './test/worlds.ts'
import { newFounder } from './test/writers.ts'

const ROOT = resolve(import.meta.dirname, '..')
const UNPRIVILEGED = 65_534
const UNUSUAL = { LC_ALL: 'tr_TR.UTF-8', LANG: 'xx_YY', TZ: 'Pacific/Chatham', HOME: '/nonexistent' }

async function expectWorks(server: { url: string }) {
  const { call, join: signUp } = caller()
  await signUp(server)
  await newFounder(call, server, 'Zoë İnce 李')
  const found = await call(server, 'GET', '/founders?search=İNCE')
  expect(await found.json()).toMatchObject([{ name: 'Zoë İnce 李' }])
}

/** The product in a read-only folder with a name that is difficult for shells and URLs. */
function oddPlace(): { place: string; data: string } {
  const folder = newFolder()
  chmodSync(folder, 0o755)
  const place = join(folder, 'Our tools (ä, 100 %) #1')
  mkdirSync(place)
  for (const name of ['dist', 'package.json'])
    cpSync(join(productFolder(), name), join(place, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
  const data = join(folder, 'our data (ö) #2')
  mkdirSync(data)
  return { place, data }
}

describe('In unusual environments', { timeout: PATIENCE_MS }, () => {
  it('a server works in a path with special characters, with write access to its data only, an unusual locale and time zone, and no home', async () => {
    const { place, data } = oddPlace()
    // Root may write anywhere, so the server runs as another user, if that one can reach the product; the mode keeps
    // the others out.
    const isOther = process.getuid?.() === 0 && isOpenToAll(ROOT) && isOpenToAll(dirname(place))
    if (isOther) chownSync(data, UNPRIVILEGED, UNPRIVILEGED)
    else for (const name of readdirSync(place)) if (name !== 'node_modules') chmodSync(join(place, name), 0o555)
    const server = spawn(process.execPath, ['dist/server/main.js'], {
      cwd: place,
      env: { PORT: '0', DATA_DIR: data, LOG_LEVEL: 'error', ENRICHMENT_PROVIDERS: 'none', ...UNUSUAL },
      ...(isOther && { uid: UNPRIVILEGED, gid: UNPRIVILEGED }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(server, 'close')
    onTestFinished(async () => {
      server.kill('SIGKILL')
      await ended
      if (!isOther)
        for (const name of readdirSync(place)) if (name !== 'node_modules') chmodSync(join(place, name), 0o755)
    })
    let said = ''
    server.stderr.on('data', (bytes) => {
      said += bytes
    })
    const [line] = await Promise.race([once(server.stdout.setEncoding('utf8'), 'data'), ended.then(() => [said])])
    const port = /localhost:(\d+)/.exec(String(line))?.[1]
    expect(port, String(line)).toBeDefined()
    await expectWorks({ url: `http://127.0.0.1:${port}` })
    server.kill('SIGTERM')
    expect([(await ended)[0], said]).toEqual([0, ''])
  })

  it('a server without its PostgreSQL ends with one sentence, without the password', async () => {
    const ended = await start({ DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/x' }).then(
      () => ({ code: 0, stderr: 'It started' }),
      (ended: { code: number; stderr: string }) => ended,
    )
    expect(ended).toMatchObject({
      code: 1,
      stderr:
        'The database at 127.0.0.1:1 cannot be used (connect ECONNREFUSED 127.0.0.1:1). Start it, or correct DATABASE_URL.\n',
    })
  })
})
