import type { CompanyFindings } from '#contract/company.ts'

/** What people call the fields that outside data fills, in the order in which they are told. */
export const companyFields = {
  industry: 'industry',
  employee_count: 'employees',
  founded_year: 'founded',
  headquarters: 'headquarters',
  description: 'description',
  website: 'website',
  linkedIn: 'LinkedIn',
} satisfies Record<keyof CompanyFindings, string>
