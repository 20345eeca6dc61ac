import { addressLine, count, firstOf, headquarters, text, webAddress, year } from '#server/enrichment/findings.ts'
import type { CompanyFindings } from '#server/enrichment/provider.ts'
import { companyPage } from '../linked-in.ts'
import type { Company } from './client.ts'

export function toCompany(company: Company): CompanyFindings {
  const { name, street_address, locality, region, postal_code, country } = company.location
  return {
    industry: firstOf(text(company.industry_v2), text(company.industry)),
    employee_count: firstOf(count(company.employee_count), count(company.size)),
    founded_year: year(company.founded),
    headquarters: headquarters({
      address: firstOf(text(name), addressLine(street_address, locality, region, postal_code, country)),
      city: locality,
    }),
    description: firstOf(text(company.summary, 10_000), text(company.headline, 10_000)),
    website: webAddress(company.website),
    linkedIn: companyPage(company.linkedin_url),
  }
}
