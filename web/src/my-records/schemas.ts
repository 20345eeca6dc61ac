import { Company, CompanyPatch } from '#contract/company.ts'
import { Founder, FounderPatch } from '#contract/founder.ts'

/** Of use once something is edited, and no part of the first screen. */
export const schemas = {
  Founder: { row: Founder, patch: FounderPatch },
  Company: { row: Company, patch: CompanyPatch },
}
