import { z } from 'zod'
import { invalid } from '#server/http/errors.ts'
import type { RecordData } from '#server/records/record-data.ts'
import { entryOf, keyOf, searchedIn } from './tables.ts'

// A result of the search on the wire: a record, a value of a row, or a job of the queue.

export type Ref =
  | { kind: 'record'; id: string }
  | { kind: 'value'; entry: RecordData; key: string[]; column: string }
  | { kind: 'job'; id: string }

const Content = z.tuple([z.string(), z.array(z.string()).min(1), z.string()])

const encode = (table: string, key: string[], column: string) =>
  Buffer.from(JSON.stringify([table, key, column])).toString('base64url')

export const JOBS = 'jobs'
export const recordRef = (id: string): string => encode('records', [id], '')
export const valueRef = (table: string, key: string[], column: string): string => encode(table, key, column)
export const jobRef = (id: string): string => encode(JOBS, [id], '')

export const notOurs = () => invalid({ refs: 'These results are not valid. Search again.' })

/** Throws the 400 for one that no search returned. */
export function parseRef(ref: string): Ref {
  const { success, data } = Content.safeParse(contentOf(ref))
  if (!success) throw notOurs()
  const [table, key, column] = data
  const [id = ''] = key
  if (table === JOBS && isOfType('uuid', id)) return { kind: 'job', id }
  const entry = entryOf(table)
  if (entry === undefined) throw notOurs()
  const columns = keyOf(entry)
  if (columns.length !== key.length || !columns.every((one, at) => isOfType(one.getSQLType(), key[at] ?? ''))) {
    throw notOurs()
  }
  if (table === 'records' && column === '') return { kind: 'record', id }
  if (!searchedIn(entry).includes(column)) throw notOurs()
  return { kind: 'value', entry, key, column }
}

function contentOf(ref: string): unknown {
  try {
    return JSON.parse(Buffer.from(ref, 'base64url').toString())
  } catch {
    return undefined
  }
}

function isOfType(type: string, value: string): boolean {
  if (type === 'uuid') return z.guid().safeParse(value).success
  if (/int|serial/.test(type)) return z.int32().safeParse(Number(value)).success && /^-?\d+$/.test(value)
  if (type.startsWith('timestamp')) return /^[\d:T.+ -]{10,40}$/.test(value) && !Number.isNaN(Date.parse(value))
  return !value.includes('\0')
}
