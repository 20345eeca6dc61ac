import type { Founder } from '#contract/founder.ts'
import type { Account } from '#server/auth/session.ts'
import { presentEnrichment } from '#server/enrichment/state.ts'
import { rightsOf } from '#server/records/policy.ts'
import type { FounderRow } from './store.ts'

/** A founder as it leaves the server, field by field: a new column cannot leak. */
export const presentFounder = (caller: Account, row: FounderRow): Founder => ({
  id: row.id,
  name: row.name,
  linkedIn: row.linkedIn,
  notes: row.notes,
  rating: row.rating,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  additionalInfo: row.additionalInfo,
  enrichment: presentEnrichment(row.enrichment),
  notesCount: row.notesCount,
  notesPreview: row.notesPreview,
  version: row.version,
  can: rightsOf(caller, row),
})
