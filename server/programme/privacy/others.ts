import { sql } from 'drizzle-orm'
import type { Import } from '#contract/import.ts'
import type { ImportFieldName } from '#contract/import-kinds.ts'
import { PERSON } from '#contract/kinds.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { personKey } from '#server/do-not-keep/listed.ts'
import { columnsOf, textsOf } from '#server/import/read/columns/mapping.ts'
import { wordsOf } from './pattern.ts'

// The row of a file also names other people: who brought someone in, who answers for them. A report has their roles.

type Row = Record<string, unknown>
type File = Pick<Import, 'columns' | 'mapping'>

const OTHER = 'someone else'
const FELLOW = 'a fellow'

/** The fields with a fellow, and those whose value is the person's own. All other text may mention anyone. */
const OF_FELLOWS: ImportFieldName[] = ['createdBy', 'responsible', 'author']
const OWN: ImportFieldName[] = ['name', 'record', 'address', 'linkedIn', 'website', 'email']

/** Columns of others by their header, such as `Introduced by`. */
const HEADER_OF_OTHERS =
  /\b(by|from|via|owner|refer\w*|intro\w*|contact|partner|lead|fellow|scout|mentor|advis\w+|author|creator|assign\w*|responsible|co-?founders?|reviewer|interviewer|colleague|assistant|manager)\b/i

const PARTS = /\s*(?:[,;&/|]|\band\b)\s*/i
const ADDRESS = /[^\s,;<>()"|]+/g
const WORD = /[\p{L}\p{M}\p{N}'’.-]+/gu
const WORDS_MAX = 6

/** Replaces what rows of files say about other people than the one with these names and addresses. */
export async function hideOthers(
  db: Database,
  rows: Row[],
  { names, addresses }: { names: string[]; addresses: string[] },
): Promise<Row[]> {
  const files = await filesOf(db, rows)
  const known = await namesAmong(
    db,
    [...files.keys()],
    rows.flatMap(textsIn).flatMap((text) => [text, ...text.split(PARTS), ...runsOf(text)]),
  )
  return rows.map((row) => {
    const file = files.get(String(row.importId))
    const cells = Array.isArray(row.cells) ? row.cells.map(String) : []
    const cellsOf = (fields: ImportFieldName[]) => fields.flatMap((field) => columnsOf(file?.mapping[field as 'name']))
    const own = cellsOf(OWN)
    const isOwn = new Set([...addresses, ...own.flatMap((at) => personKey(cells[at] ?? '') ?? [])])
    const { name = '' } = file ? textsOf(file, cells) : {}
    const ownNames = new Set(['', name, ...names, ...own.map((at) => cells[at] ?? '')].map(plainName))
    const fellows = cellsOf(OF_FELLOWS)
    const roleIn = (at: number) => {
      if (own.includes(at)) return undefined
      if (fellows.includes(at)) return FELLOW
      return HEADER_OF_OTHERS.test(file?.columns[at] ?? '') ? OTHER : undefined
    }
    const inCells = cells.flatMap((cell, at) => {
      const role = roleIn(at)
      return role === undefined ? [] : cell.split(PARTS).map((name) => [plainName(name), role] as const)
    })
    const roles = new Map([...inCells, ...known].filter(([name]) => !ownNames.has(name)))

    const hide = (text: string): string => {
      const withoutAddresses = text.replaceAll(ADDRESS, (part) => {
        const bare = part.replace(/[.:!?]+$/, '')
        const address = personKey(bare)
        if (address === undefined || isOwn.has(address)) return part
        return part.replace(bare, OTHER)
      })
      // A single word may mean anything, unless it is all there is.
      return [withoutAddresses, ...runsOf(withoutAddresses)].reduce((result, name) => {
        const role = roles.get(plainName(name))
        return role === undefined ? result : result.replaceAll(name, role)
      }, withoutAddresses)
    }
    const hidden = (value: unknown): unknown => {
      if (typeof value === 'string') return hide(value)
      if (Array.isArray(value)) return value.map(hidden)
      if (value === null || typeof value !== 'object' || value instanceof Date) return value
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hidden(item)]))
    }
    const shown = cells.map((cell, at) => {
      if (own.includes(at) || cell.trim() === '') return cell
      return roleIn(at) ?? hide(cell)
    })
    return { ...(hidden(row) as Row), cells: shown }
  })
}

const plainName = (name: string): string => wordsOf(name).join(' ')

/** The words of a text that may be a name in the middle of a sentence: two or more in a row, the most first. */
function runsOf(text: string): string[] {
  const words = [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    from: index,
    to: index + word.replace(/(['’]s)?[.'’-]*$/, '').length,
  }))
  const runs = new Set<string>()
  for (let count = WORDS_MAX; count > 1; count -= 1) {
    for (const [at, { from }] of words.entries()) {
      const last = words[at + count - 1]
      if (last !== undefined) runs.add(text.slice(from, last.to))
    }
  }
  return [...runs]
}

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

async function filesOf(db: Database, rows: Row[]): Promise<Map<string, File>> {
  const ids = [...new Set(rows.map(({ importId }) => String(importId)))]
  const files = await rowsOf<File & { id: string }>(
    db,
    sql`select id, columns, mapping from imports where id = any (${sql.param(ids)}::uuid[])`,
  )
  return new Map(files.map(({ id, ...file }) => [id, file]))
}

/** The names among these texts of fellows, of founders who are here and of people in other rows of the files, with their role. */
async function namesAmong(db: Database, files: string[], texts: string[]): Promise<Map<string, string>> {
  const given = sql`any (${sql.param([...new Set(texts)])}::text[])`
  const fellows = await rowsOf<{ name: string }>(db, sql`select name from accounts where name <> ''`)
  const founders = await rowsOf<{ name: string }>(
    db,
    sql`select name from records where kind like '%founder' and name = ${given}
      union select name from imports join import_rows on import_id = id cross join lateral (
        select string_agg(trim(import_rows.cells ->> place::int), ' ' order by at) as name
        from jsonb_path_query_array(mapping, '$.name[*]') places, jsonb_array_elements_text(places) with ordinality one (place, at)
      ) named where id = any (${sql.param(files)}::uuid[]) and imports.kind = ${PERSON.name} and name = ${given}`,
  )
  return new Map([
    ...founders.map(({ name }) => [plainName(name), OTHER] as const),
    ...fellows.map(({ name }) => [plainName(name), FELLOW] as const),
  ])
}
