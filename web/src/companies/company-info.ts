import type { CompanyEnrichment } from '#contract/company.ts'
import { isNumberOrText, isText, readAdditionalInfo } from '#web/records/additional-info.ts'

type Headquarters = NonNullable<CompanyEnrichment['headquarters']>

export const readCompanyInfo = (text: string | null) =>
  readAdditionalInfo<CompanyEnrichment>(text, {
    industry: isText,
    employee_count: isNumberOrText,
    founded_year: isNumberOrText,
    headquarters: isPlace,
    description: isText,
  })

/** Text, or an object in which each part may be absent. */
const isPlace = (value: unknown): value is Headquarters => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return isText(value)
  const { address_formatted: address, city }: Record<string, unknown> = { ...value }
  return [address, city].every((part) => part === undefined || typeof part === 'string')
}
