import type { Fault, Import, ImportOutcome, ImportRow, Mapping, Unmatched } from '#contract/import.ts'
import type { Inspection } from '#contract/import-file.ts'
import type { ImportFieldName, ImportKind } from '#contract/import-kinds.ts'
import type { LiveEvent } from '#contract/live.ts'
import type { Actor } from '#server/audit-log/actor.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import type { HasRole } from '#server/rights.ts'
import type { Added, ImportRecord, ImportRowRecord, RowResult } from './store/store.ts'

// What the rows of an import become. Reading, previewing, running, cancelling and reverting are the same for every target.

/** The reasons why a row cannot be imported. */
export type Refusal = { isRefused: true; faults: Fault[] }

export const isRefusal = (parsed: object): parsed is Refusal => 'isRefused' in parsed

/** How the cells of a file are read. */
export type Reading = Pick<Import, 'columns' | 'mapping' | 'dialect' | 'rest' | 'cells' | 'dates' | 'createTags'> & {
  inspection: Inspection
  choices: Import['choices'] | null
}

/** Parses a row from its cells. `unmatched`: the values so far that are not known by name. */
export type RowParser<Parsed> = ((cells: string[]) => Parsed | Refusal) & { unmatched?: () => Unmatched }

/** The import whose rows are planned, and who uploaded the file. */
export type PlanContext = {
  import: Pick<ImportRecord, 'id' | 'duplicates' | 'columns' | 'mapping'>
  importer: Account
}

/** A row that can be imported, with sentences about what was left out of it. */
export type AnyParsed = { faults: Fault[] }

/** The outcome of a row that could be parsed, sentences about it, and the record that it meets. */
export type RowPlan = { outcome: ImportOutcome; faults: Fault[]; hasMore?: boolean; record?: { id: string } }

/** A row that could be parsed. `isAdded`: it is added although a record is or may be the same. */
export type OpenRow<Parsed> = { row: ImportRowRecord; parsed: Parsed; isAdded: boolean }
export type PlannedRow<Parsed, Plan> = OpenRow<Parsed> & { plan: Plan }

/** The rows of a file before this one, while it is read. */
export type SeenRows<Parsed, Plan> = {
  /** The rows of a batch that repeat earlier ones, with their plans then. */
  repeats(
    db: Database,
    context: PlanContext,
    batch: { row: number; parsed: Parsed; plan: Plan }[],
  ): Promise<Map<number, { repeats: number; plan: RowPlan }>>
  added?(parsed: Parsed, plan: Plan): Added
}

/** The import that is written or reverted, who started that, and who uploaded the file. */
export type WriteContext = {
  import: ImportRecord
  /** With their current rights. */
  actor: Account & Actor
  /** Their rights count, and they are the creator of new records. */
  uploader: Account
}

/** A row on the wire, besides its outcome. */
export type RowView = Pick<ImportRow, 'values' | 'recordKind' | 'parts'>

export type ImportTarget<Parsed extends AnyParsed = AnyParsed, Plan extends RowPlan = RowPlan> = ImportKind & {
  /** The columns that fill its fields, by their names. */
  guessMapping(columns: string[]): Mapping
  /** Whether a field may hold this text, for fields that cannot hold any. */
  rules: Partial<Record<ImportFieldName, (text: string, header: string) => boolean>>
  /** Reads what its cells are matched to. */
  createParser(db: Database, file: Reading, uploader: HasRole): Promise<RowParser<Parsed>>
  /** The addresses of people in a row, also in one that cannot be imported. */
  addressesIn(file: Reading, cells: string[]): string[]
  createSeenRows(parse: RowParser<Parsed>): SeenRows<Parsed, Plan>
  /** Compares each row with what is stored. `row` is absent while the file is read. */
  planRows(
    db: Database,
    context: PlanContext,
    rows: (Pick<OpenRow<Parsed>, 'parsed' | 'isAdded'> & { row?: ImportRowRecord })[],
  ): Promise<Plan[]>
  /** Writes rows, and returns their outcomes. Throws `ChangedMeanwhile` if they have to be planned again. */
  writeRows(tx: Database, step: WriteContext, planned: PlannedRow<Parsed, Plan>[]): Promise<RowResult[]>
  /** Whether the run has reached a row. Otherwise it has the outcome of its preview. */
  hasRun(row: ImportRowRecord): boolean
  revertRows(tx: Database, step: WriteContext, rows: ImportRowRecord[]): Promise<RowResult[]>
  /** Deletes what the import has created besides records, once its rows are reverted. */
  endRevert?(tx: Database, step: WriteContext): Promise<void>
  presentRows(db: Database, record: ImportRecord, rows: ImportRowRecord[]): Promise<RowView[]>
  /** The events that stand for many changes of one run or revert. */
  events(change: 'created' | 'deleted'): LiveEvent[]
}

/** A record has changed between its comparison and its update. The batch starts again. */
export class ChangedMeanwhile extends Error {}
