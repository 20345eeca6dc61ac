import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTemporaryFiles, deleteLeftOverFiles } from './temporary-files.ts'

let parent: string
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'sourcebook-temporary-'))
})
afterAll(() => rmSync(parent, { recursive: true }))

it('A temporary file is deleted after the work on it, and its folder when the server stops', async () => {
  const files = createTemporaryFiles(parent)
  const paths: string[] = []
  await files.with(async (path) => writeFileSync(path, paths[0] ?? 'x', {}))
  const failing = files.with(async (path) => {
    paths.push(path)
    writeFileSync(path, 'x')
    throw new Error('No')
  })
  await expect(failing).rejects.toThrow('No')
  expect(paths.map(existsSync)).toEqual([false])
  expect(readdirSync(parent)).toHaveLength(1)
  await files.close()
  expect(readdirSync(parent)).toEqual([])
})

it('A start deletes the files of processes that were killed, and no others', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  for (const name of [`sourcebook-files-${pid}-x`, `sourcebook-files-${process.ppid}-x`, `other-${pid}`]) {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, 'file'), 'x')
  }
  const files = createTemporaryFiles(parent)
  await files.with(async () => deleteLeftOverFiles(parent))
  const left = readdirSync(parent).map((name) => name.replace(/(sourcebook-files-\d+)-.*/, '$1'))
  expect(left.sort()).toEqual(
    [`other-${pid}`, `sourcebook-files-${process.pid}`, `sourcebook-files-${process.ppid}`].sort(),
  )
  await files.close()
})
