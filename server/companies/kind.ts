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
} from '#contract/company.ts'
import { companyFields } from '#contract/company-fields.ts'
import { kindNamed } from '#contract/kinds.ts'
import { presentEnrichment } from '#server/enrichment/state.ts'
import { textOf } from '#server/records/fields.ts'
import { domain, linkedInCompany, parentDomains } from '#server/records/keys.ts'
import { declaredFields, type RecordKind } from '#server/records/kind.ts'
import { companyLikeness } from '#server/records/likeness.ts'
import { createPresent } from '#server/records/present.ts'
import { hasAddress } from '#server/records/query.ts'
import { companyFacts } from './company-facts.ts'
import { companyEnrichment } from './enrichment.ts'

const present = createPresent(companyFields)

/** Declares the company kind. */
export const companyKind: RecordKind<CompanyInput> & { enrichment: typeof companyEnrichment } = {
  ...kindNamed('company'),
  contract: {
    Record: Company,
    Input: CompanyInput,
    Patch: CompanyPatch,
    Correction: CompanyCorrection,
    ListQuery: CompanyListQuery,
    SimilarQuery: CompanySimilarQuery,
    Created: CompanyCreated,
    Refresh: CompanyRefresh,
    Hints: CompanyEnrichHints,
  },
  ...declaredFields(companyFields),
  filters: { website: hasAddress },
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
    wanted: ({ name = '', website }) => ({ name, address: textOf(website) }),
  },
  brief: (info) => ({ picture: null, title: null, company: null, facts: companyFacts(info) }),
  enrichment: companyEnrichment,
  present: (caller, row): Company => ({ ...present(caller, row), enrichment: presentEnrichment(row.enrichment) }),
}
