import { getTableName } from 'drizzle-orm'
import type { KindName } from '#contract/kinds.ts'
import { NO_NOTE } from '#server/db/schema.ts'
import { recordData } from '#server/record-features.ts'
import {
  endStep,
  filled,
  type ModelEnded,
  type ModelStay,
  type PipelineValues,
  restored,
  setPipeline,
} from './model-pipeline.ts'
import type { Rows } from './model-rows.ts'

// A plain model of adds, notes, finders, links, tags, enrichments, merges, undos, renames and deletes. The test compares the
// database with it.

export type Fields = Record<
  'name' | 'linkedIn' | 'website' | 'description' | 'notes' | 'rating',
  string | number | null
>
export type Sources = Record<string, { provider: string; at: string }>
/** `info` is null before public data was found. */
export type Values = {
  fields: Fields
  info: Record<string, unknown> | null
  sources: Sources
  pipeline: PipelineValues
}

/** The first finder of a record, and the time. An import may give a name. */
type First = { account: string | null; text: string | null; at: string; isImported: boolean; rating: number | null }
type Finder = { account: string | null; text: string | null; at: string; via: string }

export type ModelRecord = {
  id: string
  kind: KindName
  values: Values
  /** Whether enrichment or a merge has written its sources. */
  hasSources: boolean
  enrichedAt: string
  version: number
  pipelineVersion: number
  stays: ModelStay[]
  ended: ModelEnded[]
  /** Moves to another record in a merge, when that one was found first. */
  first: First
  finders: Finder[]
  mergedInto: string | undefined
  /** The record was deleted, or the one it was merged into. */
  isDeleted: boolean
  /** The accounts that could read the opinions of others on it. */
  readers: Set<string>
  /** Who has revealed its opinions to everyone. */
  revealedBy: string | undefined
}
type Row = Record<string, unknown>

export type ModelMerge = {
  id: string
  kind: KindName
  account: string
  survivor: string
  duplicate: string
  at: string
  before: Values
  after: Values
  /** The moved rows as they were, by table. */
  moved: Record<string, Map<string, Row>>
  swapped: boolean
  isUndone: boolean
}
/** What an undo lists as kept on the survivor. */
export type Kept = { what: string; id: string }
export type Choices = Partial<Record<string, 'survivor' | 'duplicate' | 'both'>>

/** The tables of which a merge moves the rows, as they are declared. */
const MOVED = recordData
  .filter(({ merge }) => merge === 'moved')
  .map(({ table, record = [], added }) => ({ table: getTableName(table), columns: record, added }))

const copy = (values: Values): Values => structuredClone(values)
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

export class Model {
  records = new Map<string, ModelRecord>()
  rows: Rows = { notes: new Map(), links: new Map(), opinions: new Map(), record_tags: new Map() }
  merges: ModelMerge[] = []
  /** Records that are queued for comparison since the step before the last one. */
  queued = new Set<string>()

  live = (kind: KindName): ModelRecord[] => this.roots(kind).filter(({ isDeleted }) => !isDeleted)
  deleted = (kind: KindName): ModelRecord[] => this.roots(kind).filter(({ isDeleted }) => isDeleted)
  private roots = (kind: KindName) =>
    [...this.records.values()].filter((record) => record.kind === kind && record.mergedInto === undefined)
  get = (id: string): ModelRecord => this.records.get(id) as ModelRecord

  rootOf = (record: ModelRecord): ModelRecord =>
    record.mergedInto === undefined ? record : this.rootOf(this.get(record.mergedInto))

  /** The record and everything merged into it. */
  tree(id: string): ModelRecord[] {
    const merged = [...this.records.values()].filter(({ mergedInto }) => mergedInto === id)
    return [this.get(id), ...merged.flatMap((record) => this.tree(record.id))]
  }

  /** Whether the record unites records of several first finders. An unknown one counts as another. */
  isUnited(id: string): boolean {
    const accounts = this.tree(id).map(({ first }) => first.account)
    return accounts.length > 1 && (accounts.includes(null) || new Set(accounts).size > 1)
  }

  notesOf = (id: string) => [...this.rows.notes].filter(([, { recordId }]) => recordId === id)

  lastNoteOf = (id: string) =>
    this.notesOf(id).reduce((last, [, { createdAt }]) => (createdAt > last ? createdAt : last), NO_NOTE.toISOString())

  opinionAuthors = (id: string): string[] => {
    const onRecord = [...this.rows.opinions.values()].filter(({ recordId }) => recordId === id)
    return [...new Set(onRecord.map(({ account }) => account))]
  }

  /** Who has given an opinion could read those of others, on everything that the record unites. */
  rememberReadings(id: string) {
    const authors = this.opinionAuthors(id)
    if (authors.length < 2) return
    for (const { readers } of this.tree(id)) for (const author of authors) readers.add(author)
  }

  /** The rows of a declared table. A new one has to be in the model. */
  rowsIn(table: string): Map<string, Row> {
    const rows = this.rows[table as keyof Rows]
    if (rows === undefined) throw new Error(`The model has no rows of ${table}`)
    return rows as Map<string, Row>
  }

  add(record: ModelRecord) {
    this.records.set(record.id, record)
    this.queued.add(record.id)
  }

  find(id: string, finder: Finder) {
    this.get(id).finders.push(finder)
  }

  /** Whether the account has found the record, or one that was merged into it. */
  hasFound = (id: string, account: string) =>
    this.tree(id).some(
      ({ first, finders }) => first.account === account || finders.some((one) => one.account === account),
    )

  /** A change of some values by a person or by enrichment. */
  change(record: ModelRecord, { fields, info, sources }: Partial<Values>) {
    this.write(record, {
      fields: { ...record.values.fields, ...fields },
      info: info ? { ...record.values.info, ...info } : record.values.info,
      sources: { ...record.values.sources, ...sources },
      pipeline: record.values.pipeline,
    })
  }

  private write(record: ModelRecord, values: Values) {
    const [was, now] = [record.values.fields, values.fields]
    if (['name', 'linkedIn', 'website'].some((field) => was[field as 'name'] !== now[field as 'name'])) {
      this.queued.add(record.id)
    }
    record.values = values
  }

  /** Nothing of a deleted record goes before its time is over. */
  delete(id: string) {
    for (const record of this.tree(id)) record.isDeleted = true
    endStep(this.get(id), this.get(id).values.pipeline)
  }

  restore(id: string) {
    for (const record of this.tree(id)) {
      record.isDeleted = false
      this.queued.add(record.id)
    }
  }

  merge(merge: Pick<ModelMerge, 'id' | 'account' | 'survivor' | 'duplicate' | 'at'>, choices: Choices) {
    const [survivor, duplicate] = [this.get(merge.survivor), this.get(merge.duplicate)]
    const before = copy(survivor.values)
    const after = copy(survivor.values)
    const from = (field: string, ours: unknown) =>
      choices[field] === 'duplicate' || (choices[field] === undefined && isEmpty(ours)) ? duplicate : survivor
    after.sources = {}
    for (const field of Object.keys(before.fields) as (keyof Fields)[]) {
      const { values } = from(field, before.fields[field])
      Object.assign(after.fields, { [field]: values.fields[field] })
      if (values.sources[field]) after.sources[field] = values.sources[field]
    }
    const info: Record<string, unknown> = {}
    for (const field of Object.keys({ ...before.info, ...duplicate.values.info })) {
      const { values } = from(field, before.info?.[field])
      if (values.info && field in values.info) info[field] = values.info[field]
      if (values.sources[field]) after.sources[field] = values.sources[field]
    }
    after.info = before.info === null && Object.keys(info).length === 0 ? null : info
    const texts = [before.fields.notes, duplicate.values.fields.notes].filter((notes) => notes !== '')
    if (choices.notes === 'both') after.fields.notes = [...new Set(texts)].join('\n\n')

    after.pipeline = filled(before.pipeline, duplicate.values.pipeline)

    const moved = Object.fromEntries(
      MOVED.map(({ table, columns }) => [table, this.moveAll(table, columns, duplicate.id, survivor.id)]),
    )
    const swapped = order(duplicate) < order(survivor)
    if (swapped) [survivor.first, duplicate.first] = [duplicate.first, survivor.first]
    duplicate.mergedInto = survivor.id
    endStep(duplicate, duplicate.values.pipeline)
    this.rememberReadings(survivor.id)
    this.queued.add(duplicate.id)
    this.write(survivor, { ...copy(after), pipeline: before.pipeline })
    setPipeline(survivor, after.pipeline, { account: merge.account, merge: merge.id })
    survivor.hasSources = true
    for (const record of [survivor, duplicate]) record.version += 1
    this.merges.push({ ...merge, kind: survivor.kind, before, after, moved, swapped, isUndone: false })
  }

  /** Moves all rows of a record, and returns them as they were. */
  private moveAll(table: string, columns: string[], from: string, to: string): Map<string, Row> {
    const moved = [...this.rowsIn(table)].filter(([, row]) => columns.some((column) => row[column] === from))
    const before = new Map(moved.map(([id, row]) => [id, { ...row }]))
    for (const [, row] of moved) for (const column of columns) if (row[column] === from) row[column] = to
    return before
  }

  /** The merge that has to be undone before this one; undefined when this one is next. */
  undoFirst(merge: ModelMerge): ModelMerge | undefined {
    const root = this.rootOf(this.get(merge.survivor))
    const ids = this.tree(root.id).map(({ id }) => id)
    const newest = this.merges.findLast(({ isUndone, survivor }) => !isUndone && ids.includes(survivor))
    return newest === merge ? undefined : newest
  }

  /** Later changes and additions stay on the survivor and are listed. Everything else is as before. */
  undo(merge: ModelMerge, by: string): Kept[] {
    const kept: Kept[] = []
    const keep = (what: string, id: string) => kept.push({ what, id })
    const [survivor, duplicate] = [this.get(merge.survivor), this.get(merge.duplicate)]
    const { before, after } = merge
    const now = survivor.values
    const values = copy({ ...now, info: {}, sources: {} })
    for (const field of Object.keys(now.fields) as (keyof Fields)[]) {
      const isChanged = now.fields[field] !== after.fields[field]
      const { fields, sources } = isChanged ? now : before
      if (isChanged) keep(field, survivor.id)
      Object.assign(values.fields, { [field]: fields[field] })
      if (sources[field]) values.sources[field] = sources[field]
    }
    const info: Record<string, unknown> = {}
    for (const field of Object.keys({ ...now.info, ...before.info, ...after.info })) {
      const isChanged = now.info?.[field] !== after.info?.[field]
      const from = isChanged ? now : before
      if (isChanged) keep(field, survivor.id)
      if (from.info && field in from.info) info[field] = from.info[field]
      if (from.sources[field]) values.sources[field] = from.sources[field]
    }
    values.info = before.info === null && Object.keys(info).length === 0 ? null : info
    this.write(survivor, values)
    const pipeline = restored(now.pipeline, before.pipeline, after.pipeline)
    for (const what of pipeline.kept) keep(what, survivor.id)
    setPipeline(survivor, pipeline.values, { account: by })
    survivor.stays = survivor.stays.filter((stay) => stay.merge !== merge.id)
    for (const { table, columns, added } of MOVED) {
      const rows = this.rowsIn(table)
      for (const [id, before] of merge.moved[table] ?? []) {
        const row = rows.get(id)
        const column = columns.find((column) => row?.[column] === survivor.id)
        // What leads to other records may have been merged too, and stays.
        const others = Object.fromEntries(columns.map((column) => [column, row?.[column]]))
        if (row && column) Object.assign(row, { ...before, ...others, [column]: duplicate.id })
      }
      for (const [id, row] of rows) {
        const isAdded = added && String(row[added.at]) > merge.at
        if (isAdded && columns.some((column) => row[column] === survivor.id)) keep(added.what, id)
      }
    }
    for (const { at } of survivor.finders) if (at > merge.at) keep('finder', survivor.id)
    if (merge.swapped) [survivor.first, duplicate.first] = [duplicate.first, survivor.first]
    duplicate.mergedInto = undefined
    this.queued.add(duplicate.id)
    for (const record of [survivor, duplicate]) record.version += 1
    merge.isUndone = true
    return kept
  }

  /** Every member of every live record: its creator, its other finders, and the number of notes of each fellow. */
  members(kind: KindName) {
    return this.live(kind).flatMap(({ id, first }) => {
      const found = this.tree(id).flatMap((record) => [
        ...(record.id === id ? [] : [record.first.account]),
        ...record.finders.map(({ account }) => account),
      ])
      const authors = this.notesOf(id).map(([, { account }]) => account)
      const accounts = [...new Set([first.account, ...found, ...authors])].filter((account) => account !== null)
      return accounts.map((account) => ({
        ...{ record: id, account, at: first.at },
        isOwner: account === first.account,
        isFinder: found.includes(account),
        notes: authors.filter((author) => author === account).length,
      }))
    })
  }
}

const order = ({ first, id }: ModelRecord) => `${first.at} ${id}`
