import { IconBuildingPlus, IconBuildingSkyscraper, IconListSearch } from '@tabler/icons-react'
import type { Company } from '#contract/company.ts'
import { companyFields } from '#contract/company-fields.ts'
import { kindNamed } from '#contract/kinds.ts'
import { singleFlight } from '#web/lib/single-flight.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { CompanyFacts, formatFact, formatPlace } from './company-facts.tsx'
import { readCompanyInfo } from './company-info.ts'

/** Companies in the web. */
export const companyKind: RecordKind<Company> = {
  ...kindNamed('company'),
  icons: {
    search: IconBuildingSkyscraper,
    count: IconBuildingSkyscraper,
    nothingYet: IconBuildingPlus,
    noMatch: IconListSearch,
  },
  texts: {
    searchPlaceholder: 'Search by name or notes',
    nothingYet: 'Add the first company worth watching. Everyone on the platform will find it here.',
    add: 'Add to Portfolio',
    addedAndEnriched: 'Company added and enriched with business data!',
    refreshed: (name) => `${name} refreshed successfully!`,
  },
  chart: { color: 'light-dark(#5b95cd, #3f78b0)' },
  isSquare: true,
  addressField: 'website',
  fields: companyFields,
  brief: ({ additionalInfo, website, linkedIn }) => ({
    about: String(readCompanyInfo(additionalInfo).industry ?? ''),
    link: website ? { label: 'Website', address: website } : { label: 'LinkedIn', address: linkedIn },
  }),
  columns: [
    { name: 'Industry', text: ({ additionalInfo }) => String(readCompanyInfo(additionalInfo).industry ?? '').trim() },
    { name: 'Headquarters', text: ({ additionalInfo }) => formatPlace(readCompanyInfo(additionalInfo).headquarters) },
  ],
  formatFact,
  Title: CompanyFacts,
  card: ({ description, linkedIn, website, additionalInfo }) => ({
    about: { what: 'description', text: description || readCompanyInfo(additionalInfo).description },
    links: { linkedIn, website },
  }),
  loadForm: singleFlight(async () => (await import('./company-fields.tsx')).companyForm),
}
