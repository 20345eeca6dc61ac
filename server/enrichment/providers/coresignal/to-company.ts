import { count, firstOf, headquarters, text, webAddress, year } from '#server/enrichment/findings.ts'
import type { CompanyFindings } from '#server/enrichment/provider.ts'
import { companyPage } from '../linked-in.ts'
import type { Company } from './client.ts'

export function toCompany(company: Company): CompanyFindings {
  return {
    industry: text(company.industry),
    employee_count: firstOf(
      count(company.employees_count),
      count(company.size_employees_count),
      count(company.size_employees_count_inferred),
      count(company.size_range),
    ),
    founded_year: firstOf(year(company.founded_year), year(company.founded)),
    headquarters: headquarters({
      address: firstOf(text(company.hq_full_address), text(company.location_hq_raw_address)),
      city: company.hq_city,
    }),
    description: firstOf(
      text(company.description, 10_000),
      text(company.description_enriched, 10_000),
      text(company.enriched_summary, 10_000),
    ),
    website: firstOf(webAddress(company.website), webAddress(company.websites_main)),
    linkedIn: firstOf(companyPage(company.professional_network_url), companyPage(company.linkedin_url)),
  }
}
