import { and, eq } from 'drizzle-orm'
import { type CompanyEnrichHints, CompanyFindings } from '#contract/company.ts'
import type { Database } from '#server/db/database.ts'
import { companies } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { CompanySubject } from '#server/enrichment/provider.ts'
import { ended } from '#server/enrichment/state.ts'
import { actingAs } from '#server/history/acting.ts'
import { readInfo } from '#server/records/additional-info.ts'
import { domain, gitHubLogin, linkedInCompany, siteHost } from '#server/records/keys.ts'

const fields = CompanyFindings.keyof().options

/** A description or a website that a person typed is not asked for. */
export const companyEnrichment: EnrichedKind<KnownCompany, CompanySubject, CompanyFindings, CompanyEnrichHints> = {
  name: 'company',
  table: companies,

  load: getKnown,

  toEnrich(company, hints) {
    const hinted = hints.domain ? domain(hints.domain) : null
    const website = company.website ?? (hinted && `https://${hinted}`)
    const subject: CompanySubject = {
      name: hints.name || company.name,
      domain: hinted ?? (website && domain(website)),
      website: website && siteHost(website) ? website : null,
      linkedIn: linkedInCompany(company.linkedIn ?? company.website ?? ''),
      github: gitHubLogin([company.website ?? '', company.notes].join('\n')),
    }
    return { subject, open: fields.filter((field) => !isTyped(company, field)), state: company.enrichment }
  },

  asking: ({ askCompany }, subject) => askCompany?.(subject),

  prepare: async (_id, found) => ({ found }),

  async keep(tx, id, { website, linkedIn, ...findings }, end) {
    const company = await getKnown(tx, id)
    if (company === undefined) return
    await tx
      .update(companies)
      .set({
        additionalInfo: JSON.stringify({ ...readInfo(company.additionalInfo), ...findings }),
        ...(website !== undefined && { website, domainKey: domain(website) }),
        ...(linkedIn !== undefined && { linkedIn }),
        ...ended(end),
      })
      .where(and(eq(companies.id, id), actingAs(end.by)))
  },

  async read(db, id, wanted) {
    const company = await getKnown(db, id)
    const values: Record<string, unknown> = {
      ...readInfo(company?.additionalInfo ?? null),
      website: company?.website,
      linkedIn: company?.linkedIn,
    }
    return Object.fromEntries(wanted.map((field) => [field, values[field]]))
  },
}

const known = {
  id: companies.id,
  name: companies.name,
  website: companies.website,
  description: companies.description,
  linkedIn: companies.linkedIn,
  notes: companies.notes,
  additionalInfo: companies.additionalInfo,
  enrichment: companies.enrichment,
}

/** What a run needs of a company. */
type KnownCompany = Pick<typeof companies.$inferSelect, keyof typeof known>

/** An address is typed when it is there and no run brought it; a description has a column for the typed one only. */
const isTyped = ({ enrichment, ...company }: KnownCompany, field: (typeof fields)[number]): boolean => {
  if (field === 'description') return company.description !== null
  if (field !== 'website' && field !== 'linkedIn') return false
  return company[field] !== null && enrichment.sources?.[field] === undefined
}

async function getKnown(db: Database, id: string): Promise<KnownCompany | undefined> {
  const [company] = await db.select(known).from(companies).where(eq(companies.id, id))
  return company
}
