import { z } from 'zod'
import type { ProviderAccess } from '#server/enrichment/provider.ts'
import { askRecord, type Miss, type Reply, refused, waitOf } from '#server/enrichment/provider-client.ts'
import { field, list, part } from '../lenient.ts'

const PersonData = part({
  job_title: field,
  job_company_name: field,
  job_company_website: field,
  summary: field,
  headline: field,
  work_email: field,
  recommended_personal_email: field,
  emails: list(part({ address: field })),
})

/** A person's record is under `data`, a company's is not. */
export const Person = z.object({ data: PersonData }).transform(({ data }) => data)
export type Person = z.infer<typeof Person>

export const Company = z.object({
  industry_v2: field,
  industry: field,
  employee_count: field,
  size: field,
  founded: field,
  location: part({
    name: field,
    street_address: field,
    locality: field,
    region: field,
    postal_code: field,
    country: field,
  }),
  summary: field,
  headline: field,
  website: field,
  linkedin_url: field,
})
export type Company = z.infer<typeof Company>

export const askPerson = ({ baseUrl, key }: ProviderAccess, query: Record<string, string>, signal: AbortSignal) =>
  askRecord(
    {
      baseUrl,
      path: '/v5/person/enrich',
      query: { ...query, titlecase: 'true' },
      headers: { 'x-api-key': key },
      signal,
    },
    Person,
    meaningOf,
  )

export const askCompany = ({ baseUrl, key }: ProviderAccess, query: Record<string, string>, signal: AbortSignal) =>
  askRecord(
    {
      baseUrl,
      path: '/v5/company/enrich',
      query: { ...query, titlecase: 'true' },
      headers: { 'x-api-key': key },
      signal,
    },
    Company,
    meaningOf,
  )

/** It sends no `Retry-After`, but the time at which its window ends, in UTC with or without a zone. */
function meaningOf(reply: Reply): Miss | undefined {
  if (reply.status !== 429) return undefined
  const stamp = /(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(reply.headers.get('x-ratelimit-reset') ?? '')
  const wait = waitOf((Date.parse(`${stamp?.[1]}T${stamp?.[2]}Z`) - Date.now()) / 1000)
  return { ...refused(reply, 'rate_limited', true), ...wait }
}
