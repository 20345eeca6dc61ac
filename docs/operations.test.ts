import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { copyDataFolder } from '#server/test/data-folder.ts'
import { startServer } from '#server/test/server-process.ts'
import { documentedSettings } from '../reliability/test/documented.ts'
import { freePort } from '../reliability/test/nginx.ts'

it('The complete example of a file .env starts the product; only the paths and the port are replaced', {
  tags: 'slow',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const example = documentedSettings()
  const [dataDir, backupDir] = [join(folder, 'data'), join(folder, 'backups')]
  expect(example).toMatchObject({ DATA_DIR: '/var/lib/sourcebook', BACKUP_DIR: '/var/backups/sourcebook' })
  copyDataFolder(inject('dataFolder'), dataDir)
  const replaced = { DATA_DIR: dataDir, BACKUP_DIR: backupDir, PORT: String(await freePort()) }
  const server = await startServer({ settings: { ...example, ...replaced } })
  onTestFinished(() => void server.end('SIGKILL'))
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  const ended = await server.end('SIGTERM')
  expect([ended.code, ended.stderr]).toEqual([0, ''])
})

it('The first day has ten lines', () => {
  const [, day = ''] = /## The first day\n([\s\S]*?)\n## /.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  expect(day.match(/^\d+\. /gm)).toEqual(Array.from({ length: 10 }, (_, index) => `${index + 1}. `))
})
