import type { CompanyEnrichHints, CompanyFindings } from '#contract/company.ts'
import { companyFields } from '#contract/company-fields.ts'
import { fieldOf, foundFields, keyOf } from '#contract/fields.ts'
import type { KindEnrichment, KnownRecord } from '#server/enrichment/kind.ts'
import type { CompanySubject } from '#server/enrichment/provider.ts'
import { domain, gitHubLogin, linkedInCompany, siteHost } from '#server/names/keys.ts'
import { isFromPerson } from '#server/records/write/sources.ts'

/** Providers are not asked for a description or an address that a person typed, and for what a correction or an import filled. */
export const companyEnrichment: KindEnrichment<CompanySubject, CompanyFindings, CompanyEnrichHints> = {
  fields: foundFields(companyFields).map(keyOf),
  columns: companyFields.filter((field) => 'isFound' in field).map(({ name }) => name),

  /** Without a run that found it, the value of a column is typed. */
  isTyped: (company, key) => {
    if (isFromPerson(company.state, key)) return true
    const field = fieldOf(companyFields, key)
    if (!field?.isColumn || company[field.name as keyof KnownRecord] === null) return false
    return !field.isFound || company.state.sources?.[key] === undefined
  },

  subjectOf(company, hints) {
    const hinted = hints.domain ? domain(hints.domain) : null
    const website = company.website ?? (hinted && `https://${hinted}`)
    return {
      name: hints.name || company.name,
      domain: hinted ?? (website && domain(website)),
      website: website && siteHost(website) ? website : null,
      linkedIn: linkedInCompany(company.linkedIn ?? company.website ?? ''),
      github: gitHubLogin([company.website ?? '', company.notes].join('\n')),
    }
  },

  resolver: ({ askCompany }, subject) => askCompany?.(subject),
}
