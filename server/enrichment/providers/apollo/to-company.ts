import { addressLine, count, firstOf, headquarters, text, webAddress, year } from '#server/enrichment/findings.ts'
import type { CompanyFindings } from '#server/enrichment/provider.ts'
import { companyPage } from '../linked-in.ts'
import type { Company } from './client.ts'

export function toCompany(company: Company): CompanyFindings {
  const { raw_address, street_address, city, state, postal_code, country } = company
  return {
    industry: text(company.industry),
    employee_count: count(company.estimated_num_employees),
    founded_year: year(company.founded_year),
    headquarters: headquarters({
      address: firstOf(text(raw_address), addressLine(street_address, city, state, postal_code, country)),
      city,
    }),
    description: firstOf(text(company.short_description, 10_000), text(company.seo_description, 10_000)),
    website: webAddress(company.website_url),
    linkedIn: companyPage(company.linkedin_url),
  }
}
