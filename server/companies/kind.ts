import { sql } from 'drizzle-orm'
import {
  Company,
  CompanyCorrection,
  CompanyCreated,
  CompanyEnrichHints,
  CompanyInput,
  CompanyListQuery,
  CompanyPatch,
  CompanyRefresh,
  CompanySimilarQuery,
  CompanyValuesQuery,
  ListedCompany,
} from '#contract/company.ts'
import { companyFields } from '#contract/company-fields.ts'
import type { ownFilters } from '#contract/filters.ts'
import { kindNamed } from '#contract/kinds.ts'
import { type Facts, records } from '#server/db/schema.ts'
import { presentEnrichment } from '#server/enrichment/state.ts'
import { createPresent, type PresentedKind } from '#server/lists/present.ts'
import { hasAddress } from '#server/lists/query.ts'
import { domain, linkedInCompany, parentDomains } from '#server/names/keys.ts'
import { companyLikeness } from '#server/names/likeness.ts'
import { infoOf } from '#server/records/fields.ts'
import { declaredFields, isWholeText, type RecordFilter } from '#server/records/kind.ts'
import { companyEnrichment } from './enrichment.ts'

const present = createPresent(companyFields)

// As in their indexes.
const industry = sql`${records.additionalInfo} ->> 'industry'`
const suggested = {
  industry: { text: industry, isGiven: sql`${industry} is not null` },
  place: {
    text: sql`company_place(${records.additionalInfo})`,
    isGiven: sql`${records.additionalInfo} -> 'headquarters' is not null`,
  },
}

/** Declares the company kind. */
export const companyKind: PresentedKind<CompanyInput> & { enrichment: typeof companyEnrichment } = {
  ...kindNamed('company'),
  contract: {
    Record: Company,
    Listed: ListedCompany,
    Input: CompanyInput,
    Patch: CompanyPatch,
    Correction: CompanyCorrection,
    ListQuery: CompanyListQuery,
    SimilarQuery: CompanySimilarQuery,
    ValuesQuery: CompanyValuesQuery,
    Created: CompanyCreated,
    Refresh: CompanyRefresh,
    Hints: CompanyEnrichHints,
  },
  ...declaredFields(companyFields),
  filters: {
    website: hasAddress,
    industry: isWholeText(suggested.industry),
    place: isWholeText(suggested.place),
  } satisfies Record<keyof typeof ownFilters.company, RecordFilter>,
  suggested,
  lookup: { field: 'website', column: 'domainKey', reason: 'domain', keyOf: domain, parentsOf: parentDomains },
  addresses: { website: domain, linkedIn: linkedInCompany },
  matching: {
    forms: 'company_forms',
    words: 'company_words',
    keys: 'company_keys',
    likeness: companyLikeness,
    distinctive: 'company_distinctive',
    variants: (name) => [name],
    byEmail: false,
    isProfileEnough: false,
  },
  brief: (info) => ({ picture: null, title: null, company: null, facts: companyFacts(info) }),
  enrichment: companyEnrichment,
  present: (caller, row): Company => ({ ...present(caller, row), enrichment: presentEnrichment(row.enrichment) }),
}

const plain = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? value.toLocaleString('en') : ''

/** The city of the headquarters, or the text that a provider gave for it. */
function placeOf(headquarters: unknown): string {
  const { city, address_formatted: address } = infoOf(headquarters)
  return plain(headquarters) || plain(city) || plain(address)
}

/** `1,200 employees`. Text with letters stays as the provider wrote it. */
function employeesOf(count: unknown): string {
  const text = plain(count)
  if (text === '' || /\p{L}/u.test(text)) return text
  return `${text} ${text === '1' ? 'employee' : 'employees'}`
}

/** `Logistics · Rotterdam · 51-200 employees`, of what is known. */
function companyFacts({ industry, headquarters, employee_count: count }: Facts): string | null {
  const facts = [plain(industry), placeOf(headquarters), employeesOf(count)].filter((fact) => fact !== '')
  return facts.length > 0 ? facts.join(' · ') : null
}
