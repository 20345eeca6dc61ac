import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { FileRow } from '#server/import/read/files/row.ts'
import { createXlsx, rowsXml } from '#server/import/read/files/test/create-xlsx.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { createFileReader, type FileReader } from './file-reader.ts'
import { ANSWER_ROWS } from './protocol.ts'
import { ReaderClosed, ReaderKilled } from './reader-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'sourcebook-reader-'))
afterAll(() => rmSync(folder, { recursive: true }))

const readers: FileReader[] = []
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close()
})
const createReader = (limits?: Parameters<typeof createFileReader>[1]) => {
  const reader = createFileReader(quietLog, limits)
  readers.push(reader)
  return reader
}

let made = 0
const fileOf = (content: string | Buffer, { bytes = content.length, owner = 'a' } = {}) => {
  made += 1
  const path = join(folder, String(made))
  writeFileSync(path, content)
  return { path, bytes, owner }
}

/** The processes that this one has started. */
const children = () =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter(
      (line) => line.includes('import/read/process/program') && line.trim().split(/ +/)[1] === String(process.pid),
    )
    .map((line) => Number.parseInt(line, 10))

const CSV = { format: 'csv', encoding: 'utf-8', separator: ',', headerRow: 1 } as const

const partsOf = async (rows: AsyncIterable<FileRow[]>) => {
  const parts: FileRow[][] = []
  for await (const part of rows) parts.push(part)
  return parts
}

describe('A file is read by another process', () => {
  it('which guesses its dialect, and returns all of its rows in parts', { tags: 'slow' }, async () => {
    const reader = createReader()
    const names = Array.from({ length: 2 * ANSWER_ROWS + 1 }, (_, at) => `P${at}`)
    const file = fileOf(['Name', ...names].join('\n'))
    const { dialect, columns, inspection } = await reader.inspect(file)
    expect([dialect, columns, inspection.rows]).toEqual([CSV, ['Name'], names.length])
    const parts = await partsOf(reader.rows(file, dialect))
    expect(parts.map(({ length }) => length)).toEqual([ANSWER_ROWS, ANSWER_ROWS, 1])
    expect(parts.flat().map(({ values }) => values[0])).toEqual(names)
    expect(children()).toHaveLength(1)
  })

  it('of two files at the same time each row once, although they take turns', { tags: 'slow' }, async () => {
    const reader = createReader()
    const files = ['A', 'B'].map((owner) =>
      fileOf(['Name', ...Array.from({ length: 3_000 }, (_, at) => `${owner}${at}`)].join('\n'), { owner }),
    )
    const read = await Promise.all(files.map((file) => partsOf(reader.rows(file, CSV))))
    for (const [at, owner] of ['A', 'B'].entries()) {
      expect(read[at]?.flat().map(({ values }) => values[0])).toEqual(
        Array.from({ length: 3_000 }, (_, row) => `${owner}${row}`),
      )
    }
  })

  it('that has no settings of the server, and another one for large files', { tags: 'slow' }, async () => {
    const reader = createReader()
    await Promise.all([reader.inspect(fileOf('Name\nAda')), reader.inspect(fileOf('Name\nAda', { bytes: 2_000_000 }))])
    const pids = children()
    expect(pids).toHaveLength(2)
    // Where the system shows the environment of a process.
    for (const pid of pids.filter((pid) => existsSync(`/proc/${pid}/environ`))) {
      expect(execFileSync('cat', [`/proc/${pid}/environ`], { encoding: 'utf8' })).not.toContain('PATH=')
    }
  })
})

describe('A file that needs too much', () => {
  const texts = (count: number) => Array.from({ length: count }, (_, at) => `<si><t>Some text ${at}</t></si>`).join('')
  const workbook = () =>
    createXlsx({
      sheets: {
        A: rowsXml([
          ['Name', 'Notes'],
          ['Ada', 'x'],
        ]),
      },
      shared: texts(250_000),
    })

  it('memory is refused with a sentence, and the next one is read', { tags: 'slow' }, async () => {
    const reader = createReader({ small: 24 })
    await expect(reader.inspect(fileOf(workbook(), { bytes: 10 }))).rejects.toThrow('This file could not be read')
    expect((await reader.inspect(fileOf('Name\nAda'))).inspection.rows).toBe(1)
    expect((await createReader().inspect(fileOf(workbook()))).inspection.rows).toBe(1)
  })

  it('time on the processor is refused as well', async () => {
    const reader = createReader({ cpuMs: 300 })
    await expect(reader.inspect(fileOf(workbook(), { bytes: 10 }))).rejects.toThrow('This file could not be read')
    expect((await reader.inspect(fileOf('Name\nAda'))).inspection.rows).toBe(1)
  })
})

describe('A process that is killed', () => {
  it('ends the reading of its rows, and the next file is read by another one', { tags: 'slow' }, async () => {
    const reader = createReader()
    const next = expect(reader.rows(fileOf('Name\nAda'), CSV).next()).rejects.toThrow(ReaderKilled)
    await expect.poll(children, { interval: 5 }).not.toEqual([])
    for (const pid of children()) process.kill(pid, 'SIGKILL')
    await next
    expect((await reader.inspect(fileOf('Name\nAda'))).inspection.rows).toBe(1)
  })

  it('is gone when the reader is closed, and nothing waits for it', async () => {
    const reader = createReader()
    const waiting = [reader.inspect(fileOf('Name\nAda')), reader.inspect(fileOf('Name\nBob'))]
    const refused = waiting.map((one) => expect(one).rejects.toThrow(ReaderClosed))
    setTimeout(() => reader.close(), 10)
    await Promise.all(refused)
    await expect.poll(children).toEqual([])
  })
})
