import type { Company } from '#contract/company.ts'
import { companyFields } from '#contract/company-fields.ts'
import { kindNamed } from '#contract/kinds.ts'
import { RecordCard } from '#web/records/card/record-card.tsx'
import type { CardProps } from '#web/records/kind.ts'
import { CompanyFacts } from './company-facts.tsx'
import { readCompanyInfo } from './company-info.ts'

export function CompanyCard({ record: company, search, slots }: CardProps<Company>) {
  const info = readCompanyInfo(company.additionalInfo)
  return (
    <RecordCard
      kind={kindNamed('company')}
      record={company}
      search={search}
      slots={slots}
      isSquare
      title={<CompanyFacts record={company} />}
      about={{ what: 'description', text: company.description || info.description }}
      links={{ linkedIn: company.linkedIn, website: company.website }}
      fields={companyFields}
    />
  )
}
