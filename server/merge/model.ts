// What adds, notes, finders, merges, undos, renames and deletes leave behind, written down as plainly as possible. The test
// beside it holds the database to it.

type Values = { name: string; linkedIn: string; notes: string; rating: number }

export type ModelRecord = {
  id: string
  values: Values
  /** Moves to another record when a merge finds that the other one was found first. */
  first: { account: string; at: string }
  finders: Set<string>
  mergedInto: string | undefined
}
type ModelMerge = {
  id: string
  survivor: string
  duplicate: string
  before: Values
  after: Values
  notes: string[]
  swapped: boolean
  isUndone: boolean
}
type ModelNote = { author: string; record: string }

export class Model {
  records = new Map<string, ModelRecord>()
  notes = new Map<string, ModelNote>()
  merges: ModelMerge[] = []

  live = (): ModelRecord[] => [...this.records.values()].filter(({ mergedInto }) => mergedInto === undefined)
  get = (id: string): ModelRecord => this.records.get(id) as ModelRecord

  /** The record and everything merged into it. */
  tree(id: string): ModelRecord[] {
    const merged = [...this.records.values()].filter(({ mergedInto }) => mergedInto === id)
    return [this.get(id), ...merged.flatMap((record) => this.tree(record.id))]
  }

  notesOf = (id: string) => [...this.notes].filter(([, { record }]) => record === id)

  find(id: string, account: string) {
    const isFinder = this.tree(id).some(({ first, finders }) => first.account === account || finders.has(account))
    if (!isFinder) this.get(id).finders.add(account)
  }

  delete(id: string) {
    for (const { id: gone } of this.tree(id)) {
      for (const [note] of this.notesOf(gone)) this.notes.delete(note)
      this.records.delete(gone)
    }
  }

  merge(id: string, survivorId: string, duplicateId: string, choices: Partial<Record<keyof Values, string>>) {
    const [survivor, duplicate] = [this.get(survivorId), this.get(duplicateId)]
    const before = { ...survivor.values }
    for (const field of ['name', 'linkedIn', 'rating', 'notes'] as const) {
      if (choices[field] === 'duplicate') Object.assign(survivor.values, { [field]: duplicate.values[field] })
    }
    if (choices.notes === 'both' && before.notes !== duplicate.values.notes) {
      survivor.values.notes = `${before.notes}\n\n${duplicate.values.notes}`
    }
    const notes = this.notesOf(duplicateId).map(([note]) => note)
    for (const note of notes) this.notes.set(note, { ...(this.notes.get(note) as ModelNote), record: survivorId })
    const swapped = order(duplicate) < order(survivor)
    if (swapped) [survivor.first, duplicate.first] = [duplicate.first, survivor.first]
    duplicate.mergedInto = survivorId
    const after = { ...survivor.values }
    this.merges.push({
      id,
      survivor: survivorId,
      duplicate: duplicateId,
      before,
      after,
      notes,
      swapped,
      isUndone: false,
    })
  }

  /** The merge that has to be undone before this one; undefined when it is this one's turn. */
  undoFirst(merge: ModelMerge): ModelMerge | undefined {
    let root = this.get(merge.survivor)
    while (root.mergedInto !== undefined) root = this.get(root.mergedInto)
    const ids = this.tree(root.id).map(({ id }) => id)
    const newest = this.merges.findLast(({ isUndone, survivor }) => !isUndone && ids.includes(survivor))
    return newest === merge ? undefined : newest
  }

  undo(merge: ModelMerge) {
    const [survivor, duplicate] = [this.get(merge.survivor), this.get(merge.duplicate)]
    for (const field of Object.keys(merge.after) as (keyof Values)[]) {
      if (survivor.values[field] === merge.after[field])
        Object.assign(survivor.values, { [field]: merge.before[field] })
    }
    for (const note of merge.notes) {
      const known = this.notes.get(note)
      if (known?.record === survivor.id) this.notes.set(note, { ...known, record: duplicate.id })
    }
    if (merge.swapped) [survivor.first, duplicate.first] = [duplicate.first, survivor.first]
    duplicate.mergedInto = undefined
    merge.isUndone = true
  }

  /** Every member of every live record: its creator, its other finders, and how many notes each fellow wrote on it. */
  members() {
    return this.live().flatMap(({ id, first }) => {
      const found = this.tree(id).flatMap((record) => [
        ...(record.id === id ? [] : [record.first.account]),
        ...record.finders,
      ])
      const authors = this.notesOf(id).map(([, { author }]) => author)
      return [...new Set([first.account, ...found, ...authors])].map((account) => ({
        record_id: id,
        account_id: account,
        is_owner: account === first.account,
        is_finder: found.includes(account),
        notes_count: authors.filter((author) => author === account).length,
      }))
    })
  }
}

const order = ({ first, id }: ModelRecord) => `${first.at} ${id}`
