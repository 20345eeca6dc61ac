import { count, firstOf, headquarters, text, webAddress, year } from '#server/enrichment/findings.ts'
import type { CompanyFindings } from '#server/enrichment/provider.ts'
import { companyPage } from '../linked-in.ts'
import type { Company } from './client.ts'

export function toCompany(company: Company): CompanyFindings {
  const { location, website } = company
  return {
    industry: industry(company),
    employee_count: firstOf(
      count(company.headcount),
      count(company.corrected_headcount),
      count(company.external_headcount),
    ),
    // The year comes first, whatever `founding_date.granularity` is.
    founded_year: year(company.founding_date.date),
    headquarters: headquarters({
      address: firstOf(text(location.address_formatted), text(location.location), text(company.headquarters)),
      city: location.city,
    }),
    description: firstOf(
      text(company.description, 10_000),
      text(company.short_description, 10_000),
      text(company.external_description, 10_000),
    ),
    website: website.is_broken === true ? undefined : firstOf(webAddress(website.url), webAddress(website.domain)),
    linkedIn: companyPage(company.socials.LINKEDIN.url),
  }
}

/** The primary tag, else the first tag of an industry or a market. Other tags describe customers or technology. */
function industry(company: Company): string | undefined {
  const tags = [...company.tags_v2, ...company.tags].filter(({ display_value }) => text(display_value) !== undefined)
  const tag =
    tags.find(({ is_primary_tag }) => is_primary_tag === true) ??
    tags.find(({ type }) => /industry|vertical/i.test(text(type) ?? ''))
  return text(tag?.display_value)
}
