import { readFile } from 'node:fs/promises'
import type { Dialect } from '#contract/import-file.ts'
import { inspectFile } from '#server/import/read/files/inspect.ts'
import { faultOfCount, readRows } from '#server/import/read/files/read.ts'
import type { FileRow } from '#server/import/read/files/row.ts'
import { UnreadableFile } from '#server/import/read/files/unreadable-file.ts'
import { ANSWER_LENGTH, ANSWER_ROWS, type Answer, type Inspected, type Question, type Rows } from './protocol.ts'

/** Where the rows of a file are being read, so that the next question goes on there. */
type Position = { path: string; dialect: string; read: number; rows: AsyncIterator<FileRow> }

/** Answers questions about files, one at a time. */
export function createAnswers() {
  let position: Position | undefined

  async function open(path: string, dialect: Dialect, after: number): Promise<Position> {
    const key = JSON.stringify(dialect)
    if (position?.path === path && position.dialect === key && position.read === after) return position
    position = undefined
    const rows = readRows(await readFile(path), dialect)[Symbol.asyncIterator]()
    const opened = { path, dialect: key, read: 0, rows }
    while (opened.read < after && !(await rows.next()).done) opened.read += 1
    return opened
  }

  async function read({ path, dialect, after }: Extract<Question, { act: 'rows' }>): Promise<Rows> {
    const at = await open(path, dialect, after)
    position = undefined
    const rows: FileRow[] = []
    for (let length = 0; rows.length < ANSWER_ROWS && length < ANSWER_LENGTH; ) {
      const { done, value } = await at.rows.next()
      if (done) return { rows, isOver: true }
      rows.push(value)
      at.read += 1
      for (const one of value.values) length += one.length
    }
    position = at
    return { rows, isOver: false }
  }

  return async function answer(question: Question): Promise<Answer> {
    try {
      if (question.act === 'rows') return await read(question)
      position = undefined
      return { inspected: await inspect(await readFile(question.path), question.dialect) }
    } catch (error) {
      if (error instanceof UnreadableFile) return { unreadable: error.message }
      return { fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
}

/** A file with columns can be uploaded even if its rows cannot be imported. Throws `UnreadableFile` without columns. */
async function inspect(file: Buffer, given: Dialect | undefined): Promise<Inspected> {
  const inspected = await inspectFile(file, given)
  const error = faultOfCount(inspected.inspection.rows)
  return { ...inspected, ...(error !== undefined && { error }) }
}
