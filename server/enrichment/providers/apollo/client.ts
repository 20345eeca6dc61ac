import { z } from 'zod'
import type { ProviderAccess } from '#server/enrichment/provider.ts'
import { askRecord, type Miss, type Reply, refused, retryAfter, waitOf } from '#server/enrichment/provider-client.ts'
import { field, list, part } from '../lenient.ts'

const PersonData = part({
  title: field,
  headline: field,
  photo_url: field,
  email: field,
  email_status: field,
  employment_history: list(part({ current: field, title: field, organization_name: field })),
  organization: part({ name: field, website_url: field }),
})

/** An empty result is a 200 with null in place of the record. */
export const Person = z.object({ person: PersonData }).transform(({ person }) => person)
export type Person = z.infer<typeof Person>

const CompanyData = part({
  industry: field,
  estimated_num_employees: field,
  founded_year: field,
  raw_address: field,
  street_address: field,
  city: field,
  state: field,
  postal_code: field,
  country: field,
  short_description: field,
  seo_description: field,
  website_url: field,
  linkedin_url: field,
})

export const Company = z.object({ organization: CompanyData }).transform(({ organization }) => organization)
export type Company = z.infer<typeof Company>

export const askPerson = ({ baseUrl, key }: ProviderAccess, query: Record<string, string>, signal: AbortSignal) =>
  askRecord(
    {
      baseUrl,
      path: '/people/match',
      method: 'POST',
      query: { ...query, reveal_personal_emails: 'false' },
      headers: { 'x-api-key': key },
      signal,
    },
    Person,
    meaningOf,
  )

export const askCompany = ({ baseUrl, key }: ProviderAccess, query: Record<string, string>, signal: AbortSignal) =>
  askRecord(
    { baseUrl, path: '/organizations/enrich', query, headers: { 'x-api-key': key }, signal },
    Company,
    meaningOf,
  )

const WINDOWS = { 'x-24-hour-requests-left': 86_400, 'x-hourly-requests-left': 3600, 'x-minute-requests-left': 60 }

/** Without `Retry-After`, the response names which of its three windows is used up. That window is the longest wait. */
function meaningOf(reply: Reply): Miss | undefined {
  if (reply.status !== 429) return undefined
  const used = Object.entries(WINDOWS).find(([header]) => reply.headers.get(header)?.trim() === '0')
  return { ...refused(reply, 'rate_limited', true), ...waitOf(used?.[1] ?? Number.NaN), ...retryAfter(reply.headers) }
}
