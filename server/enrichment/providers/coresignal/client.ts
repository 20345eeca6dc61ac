import { z } from 'zod'
import type { ProviderAccess } from '#server/enrichment/provider.ts'
import { askRecord } from '#server/enrichment/provider-client.ts'
import { field, list, part } from '../lenient.ts'

export const Person = z.object({
  is_deleted: field,
  active_experience_title: field,
  experience: list(part({ active_experience: field, position_title: field, company_name: field })),
  summary: field,
  headline: field,
  primary_professional_email: field,
  professional_emails_collection: list(part({ professional_email: field })),
  picture_url: field,
  website: field,
})
export type Person = z.infer<typeof Person>

/** Field names of its multi-source tier, then of its clean tier. */
export const Company = z.object({
  industry: field,
  employees_count: field,
  size_employees_count: field,
  size_employees_count_inferred: field,
  size_range: field,
  founded_year: field,
  founded: field,
  description: field,
  description_enriched: field,
  enriched_summary: field,
  hq_full_address: field,
  hq_city: field,
  location_hq_raw_address: field,
  website: field,
  websites_main: field,
  professional_network_url: field,
  linkedin_url: field,
})
export type Company = z.infer<typeof Company>

/** By LinkedIn handle. */
export const askPerson = ({ baseUrl, key }: ProviderAccess, handle: string, signal: AbortSignal) =>
  askRecord(
    {
      baseUrl,
      path: `/cdapi/v2/employee_multi_source/collect/${encodeURIComponent(handle)}`,
      headers: { apikey: key },
      signal,
    },
    Person,
  )

export const askCompany = ({ baseUrl, key }: ProviderAccess, website: string, signal: AbortSignal) =>
  askRecord(
    { baseUrl, path: '/cdapi/v2/company_multi_source/enrich', query: { website }, headers: { apikey: key }, signal },
    Company,
  )

/** By LinkedIn company slug. */
export const askCompanyBySlug = ({ baseUrl, key }: ProviderAccess, slug: string, signal: AbortSignal) =>
  askRecord(
    {
      baseUrl,
      path: `/cdapi/v2/company_multi_source/collect/${encodeURIComponent(slug)}`,
      headers: { apikey: key },
      signal,
    },
    Company,
  )
