import { sql } from 'drizzle-orm'
import type { Import } from '#contract/import.ts'
import type { ImportFieldName } from '#contract/import-kinds.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { columnsOf } from '#server/import/values.ts'
import { personIn } from '#server/records/do-not-keep.ts'
import { plainText } from './pattern.ts'

// The row of a file also names other people: who brought someone in, who answers for them. A report has their roles.

type Row = Record<string, unknown>
type File = Pick<Import, 'columns' | 'mapping'>

const OTHER = 'someone else'

/** The fields with a fellow, and those whose value is the person's own. All other text may mention anyone. */
const OF_FELLOWS: ImportFieldName[] = ['createdBy', 'responsible', 'author']
const OWN: ImportFieldName[] = ['name', 'record', 'address', 'linkedIn', 'website', 'email']

/** Columns of others by their header, such as `Introduced by`. */
const HEADER_OF_OTHERS =
  /\b(by|from|via|owner|refer\w*|intro\w*|contact|partner|lead|fellow|scout|mentor|advis\w+|author|creator|assign\w*|responsible|co-?founders?|reviewer|interviewer|colleague|assistant|manager)\b/i

const PARTS = /\s*(?:[,;&/|]|\band\b)\s*/i
const ADDRESS = /[^\s,;<>()"|]+/g

/** Replaces what rows of files say about other people than the one with these names and addresses. */
export async function hideOthers(
  db: Database,
  rows: Row[],
  { names, addresses }: { names: string[]; addresses: string[] },
): Promise<Row[]> {
  const files = await filesOf(db, rows)
  const ownNames = new Set(names.map(plainText))
  const others = await namesAmong(
    db,
    rows.flatMap((row) => textsIn(row)).flatMap((text) => [text, ...text.split(PARTS)]),
  )
  return rows.map((row) => {
    const file = files.get(String(row.importId))
    const cells = Array.isArray(row.cells) ? row.cells.map(String) : []
    const cellsOf = (fields: ImportFieldName[]) => fields.flatMap((field) => columnsOf(file?.mapping[field as 'name']))
    const own = cellsOf(OWN)
    const isOwn = new Set([...addresses, ...own.flatMap((at) => personIn(cells[at] ?? '') ?? [])])
    const isOwnName = (name: string) => ownNames.has(plainText(name)) || own.some((at) => cells[at] === name)

    const hide = (text: string): string => {
      const withoutAddresses = text.replaceAll(ADDRESS, (part) => {
        const bare = part.replace(/[.:!?]+$/, '')
        const address = personIn(bare)
        if (address === undefined || isOwn.has(address)) return part
        return part.replace(bare, OTHER)
      })
      // A single word may mean anything, unless it is all there is.
      const isNamed = (name: string) => (/\s/.test(name) ? withoutAddresses.includes(name) : withoutAddresses === name)
      return [...others]
        .filter(([name]) => !isOwnName(name) && isNamed(name))
        .reduce((result, [name, role]) => result.replaceAll(name, role), withoutAddresses)
    }
    const hidden = (value: unknown): unknown => {
      if (typeof value === 'string') return hide(value)
      if (Array.isArray(value)) return value.map(hidden)
      if (value === null || typeof value !== 'object' || value instanceof Date) return value
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hidden(item)]))
    }
    const [fellows, header] = [cellsOf(OF_FELLOWS), (at: number) => file?.columns[at] ?? '']
    const shown = cells.map((cell, at) => {
      if (own.includes(at) || cell.trim() === '') return cell
      if (fellows.includes(at)) return 'a fellow'
      return HEADER_OF_OTHERS.test(header(at)) ? OTHER : hide(cell)
    })
    return { ...(hidden(row) as Row), cells: shown }
  })
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

/** The names among these texts of fellows and of founders who are here, with their role. */
async function namesAmong(db: Database, texts: string[]): Promise<Map<string, string>> {
  const given = sql`any (${sql.param([...new Set(texts)])}::text[])`
  const fellows = await rowsOf<{ name: string }>(db, sql`select name from accounts where name <> ''`)
  const founders = await rowsOf<{ name: string }>(
    db,
    sql`select distinct name from records where kind like '%founder' and name = ${given}`,
  )
  const named = texts.join('\n')
  return new Map([
    ...founders.map(({ name }) => [name, OTHER] as const),
    ...fellows.flatMap(({ name }) => (named.includes(name) ? [[name, 'a fellow'] as const] : [])),
  ])
}
