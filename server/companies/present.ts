import type { Company } from '#contract/company.ts'
import type { Account } from '#server/auth/session.ts'
import { presentEnrichment } from '#server/enrichment/state.ts'
import { rightsOf } from '#server/records/policy.ts'
import type { CompanyRow } from './store.ts'

/** A company as it leaves the server, field by field: a new column cannot leak. */
export const presentCompany = (caller: Account, row: CompanyRow): Company => ({
  id: row.id,
  name: row.name,
  website: row.website,
  description: row.description,
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
