import type { Database } from '#server/db/database.ts'
import type { EnrichmentState, Facts } from '#server/db/schema.ts'
import type { GuardedClient } from '#server/guarded-fetch/guarded-client.ts'
import type { PresentedKind } from '#server/lists/present.ts'
import type { Fields } from '#server/records/kind.ts'
import type { Found } from './ask-all.ts'
import type { Ask, Provider } from './provider.ts'

/** A record as a run sees it. `info` holds the findings of earlier runs. */
export type KnownRecord = {
  name: string
  linkedIn: string | null
  website: string | null
  description: string | null
  notes: string
  info: Facts
  state: EnrichmentState
}

/** Findings, with their fetched data such as pictures. `saveRelated` writes that in the transaction of the findings. */
type Prepared = { found: Found; saveRelated?: (tx: Database) => Promise<void> }

/** The declaration of a kind for enrichment runs, in addition to the kind itself. */
export type KindEnrichment<Subject, Findings extends object, Hints extends object> = {
  /** All fields that providers can fill. */
  fields: readonly string[]
  /** Those with a column of their own. The others are stored in `additional_info`. */
  columns: readonly (keyof Fields & keyof Findings)[]
  /** The input for providers. Hints apply to one run only. */
  subjectOf: (record: KnownRecord, hints: Hints) => Subject
  /** True for a field that a person gave, typed or by an import: providers are not asked for it and do not overwrite it. */
  isTyped: (record: KnownRecord, field: string) => boolean
  /** How a provider resolves a subject of this kind; undefined where it cannot. */
  resolver: (provider: Provider, subject: Subject) => Ask<Findings> | undefined
  /** Fetches what findings refer to, outside any transaction. */
  prepare?: (id: string, found: Found, guardedClient: GuardedClient, signal: AbortSignal) => Promise<Prepared>
}

// biome-ignore lint/suspicious/noExplicitAny: kinds differ in their subjects, findings and hints
export type EnrichedKind = PresentedKind & { enrichment: KindEnrichment<any, any, any> }
