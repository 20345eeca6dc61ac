import { NO_NOTE } from '#server/db/schema.ts'

// A plain model of adds, notes, finders, enrichments, merges, undos, renames and deletes. The test compares the
// database with it.

export type Fields = Record<
  'name' | 'linkedIn' | 'website' | 'description' | 'notes' | 'rating',
  string | number | null
>
export type Sources = Record<string, { provider: string; at: string }>
/** `info` is null before public data was found. */
export type Values = { fields: Fields; info: Record<string, unknown> | null; sources: Sources }

/** The first finder of a record, and the time. An import may give a name. */
type First = { account: string | null; text: string | null; at: string; isImported: boolean }
type Finder = { account: string | null; text: string | null; at: string; via: string }

export type ModelRecord = {
  id: string
  values: Values
  /** Whether enrichment or a merge has written its sources. */
  hasSources: boolean
  enrichedAt: string
  version: number
  /** Moves to another record in a merge, when that one was found first. */
  first: First
  finders: Finder[]
  mergedInto: string | undefined
}
export type ModelNote = { record: string; account: string | null; text: string | null; content: string; at: string }
export type ModelMerge = {
  id: string
  account: string
  survivor: string
  duplicate: string
  before: Values
  after: Values
  notes: string[]
  swapped: boolean
  isUndone: boolean
}
export type Choices = Partial<Record<string, 'survivor' | 'duplicate' | 'both'>>

const copy = (values: Values): Values => structuredClone(values)
const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

export class Model {
  records = new Map<string, ModelRecord>()
  notes = new Map<string, ModelNote>()
  merges: ModelMerge[] = []
  /** Records that are queued for comparison since the step before the last one. */
  queued = new Set<string>()

  live = (): ModelRecord[] => [...this.records.values()].filter(({ mergedInto }) => mergedInto === undefined)
  get = (id: string): ModelRecord => this.records.get(id) as ModelRecord

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

  notesOf = (id: string) => [...this.notes].filter(([, { record }]) => record === id)

  lastNoteOf = (id: string) =>
    this.notesOf(id).reduce((last, [, { at }]) => (at > last ? at : last), NO_NOTE.toISOString())

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
    })
  }

  private write(record: ModelRecord, values: Values) {
    const [was, now] = [record.values.fields, values.fields]
    if (['name', 'linkedIn', 'website'].some((field) => was[field as 'name'] !== now[field as 'name'])) {
      this.queued.add(record.id)
    }
    record.values = values
  }

  delete(id: string) {
    for (const { id: gone } of this.tree(id)) {
      for (const [note] of this.notesOf(gone)) this.notes.delete(note)
      this.records.delete(gone)
      this.queued.delete(gone)
    }
  }

  merge(merge: Pick<ModelMerge, 'id' | 'account' | 'survivor' | 'duplicate'>, choices: Choices) {
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

    const notes = this.notesOf(duplicate.id).map(([note]) => note)
    for (const note of notes) (this.notes.get(note) as ModelNote).record = survivor.id
    const swapped = order(duplicate) < order(survivor)
    if (swapped) [survivor.first, duplicate.first] = [duplicate.first, survivor.first]
    duplicate.mergedInto = survivor.id
    this.queued.add(duplicate.id)
    this.write(survivor, copy(after))
    survivor.hasSources = true
    for (const record of [survivor, duplicate]) record.version += 1
    this.merges.push({ ...merge, before, after, notes, swapped, isUndone: false })
  }

  /** The merge that has to be undone before this one; undefined when this one is next. */
  undoFirst(merge: ModelMerge): ModelMerge | undefined {
    let root = this.get(merge.survivor)
    while (root.mergedInto !== undefined) root = this.get(root.mergedInto)
    const ids = this.tree(root.id).map(({ id }) => id)
    const newest = this.merges.findLast(({ isUndone, survivor }) => !isUndone && ids.includes(survivor))
    return newest === merge ? undefined : newest
  }

  /** Later changes stay, with their source. Everything else is restored. */
  undo(merge: ModelMerge) {
    const [survivor, duplicate] = [this.get(merge.survivor), this.get(merge.duplicate)]
    const { before, after } = merge
    const now = survivor.values
    const values = copy({ fields: now.fields, info: {}, sources: {} })
    for (const field of Object.keys(now.fields) as (keyof Fields)[]) {
      const { fields, sources } = now.fields[field] === after.fields[field] ? before : now
      Object.assign(values.fields, { [field]: fields[field] })
      if (sources[field]) values.sources[field] = sources[field]
    }
    const info: Record<string, unknown> = {}
    for (const field of Object.keys({ ...now.info, ...before.info, ...after.info })) {
      const from = now.info?.[field] === after.info?.[field] ? before : now
      if (from.info && field in from.info) info[field] = from.info[field]
      if (from.sources[field]) values.sources[field] = from.sources[field]
    }
    values.info = before.info === null && Object.keys(info).length === 0 ? null : info
    this.write(survivor, values)
    for (const note of merge.notes) {
      const known = this.notes.get(note)
      if (known?.record === survivor.id) known.record = duplicate.id
    }
    if (merge.swapped) [survivor.first, duplicate.first] = [duplicate.first, survivor.first]
    duplicate.mergedInto = undefined
    this.queued.add(duplicate.id)
    for (const record of [survivor, duplicate]) record.version += 1
    merge.isUndone = true
  }

  /** Every member of every live record: its creator, its other finders, and the number of notes of each fellow. */
  members() {
    return this.live().flatMap(({ id, first }) => {
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
