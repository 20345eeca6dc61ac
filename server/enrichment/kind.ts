import type { AnyColumn } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '#server/db/database.ts'
import type { EnrichmentState } from '#server/db/schema.ts'
import type { Actor } from '#server/history/acting.ts'
import type { GuardedClient } from '#server/outside/guarded-client.ts'
import type { Found } from './ask-all.ts'
import type { Ask, Provider } from './provider.ts'

/** The columns that every kind of record keeps its runs in. */
export type EnrichedTable = PgTable & { id: AnyColumn; enrichment: AnyColumn; lookedUpAt: AnyColumn }

/** How a run ends: the state that the record is left in, and who asked for the run, if anybody did. */
export type RunEnd = { state: EnrichmentState; by: Actor | undefined }

/** A record as a run sees it. `open` are the fields to ask for: all that no person typed. */
export type RecordToEnrich<Subject> = { subject: Subject; open: readonly string[]; state: EnrichmentState }

/** Findings with whatever had to be fetched for them; `keepMore` writes that in the transaction of the findings. */
export type Prepared = { found: Found; keepMore?: (tx: Database) => Promise<void> }

/** What a run needs to know of a kind of record; each kind writes it out in its own folder. */
export type EnrichedKind<Row, Subject, Findings extends object, Hints> = {
  name: string
  table: EnrichedTable
  /** Undefined when the record is gone. */
  load: (db: Database, id: string) => Promise<Row | undefined>
  toEnrich: (row: Row, hints: Hints) => RecordToEnrich<Subject>
  asking: (provider: Provider, subject: Subject) => Ask<Findings> | undefined
  /** Fetches what findings need beside themselves, outside of any transaction. */
  prepare: (id: string, found: Found, outside: GuardedClient, signal: AbortSignal) => Promise<Prepared>
  /**
   * Writes findings and the end of their run into the record, whose row is locked, in one change; fields that are not
   * among them keep what they have.
   */
  keep: (tx: Database, id: string, findings: Findings, end: RunEnd) => Promise<void>
  /** What the record has in these fields now. */
  read: (db: Database, id: string, fields: readonly string[]) => Promise<Findings>
}
