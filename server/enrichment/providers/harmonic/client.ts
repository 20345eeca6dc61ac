import { z } from 'zod'
import type { ProviderAccess } from '#server/enrichment/provider.ts'
import { askRecord, type Miss, type Reply, refused } from '#server/enrichment/provider-client.ts'
import { field, list, part } from '../lenient.ts'

export const Person = z.object({
  profile_picture_url: field,
  linkedin_headline: field,
  contact: part({ primary_email: field, emails: list(field) }),
  experience: list(part({ title: field, company_name: field, is_current_position: field })),
  websites: list(z.union([z.string(), part({ url: field })])),
})
export type Person = z.infer<typeof Person>

const Tags = list(part({ display_value: field, type: field, is_primary_tag: field }))

export const Company = z.object({
  tags_v2: Tags,
  tags: Tags,
  headcount: field,
  corrected_headcount: field,
  external_headcount: field,
  founding_date: part({ date: field }),
  location: part({ address_formatted: field, location: field, city: field }),
  headquarters: field,
  description: field,
  short_description: field,
  external_description: field,
  website: part({ url: field, domain: field, is_broken: field }),
  socials: part({ LINKEDIN: part({ url: field }) }),
})
export type Company = z.infer<typeof Company>

export const askPerson = ({ baseUrl, key }: ProviderAccess, query: Record<string, string>, signal: AbortSignal) =>
  askRecord({ baseUrl, path: '/persons', method: 'POST', query, headers: { apikey: key }, signal }, Person, meaningOf)

export const askCompany = ({ baseUrl, key }: ProviderAccess, query: Record<string, string>, signal: AbortSignal) =>
  askRecord(
    { baseUrl, path: '/companies', method: 'POST', query, headers: { apikey: key }, signal },
    Company,
    meaningOf,
  )

/**
 * Harmonic returns 404 for an unknown record and then gathers its data within hours. It reports both of its limits by
 * 429.
 */
function meaningOf(reply: Reply): Miss | undefined {
  const isQueued = reply.status === 404 && /"enrichment_urn"\s*:\s*"/.test(reply.text)
  if (isQueued) return { ...refused(reply, 'pending', true), detail: 'it is looking the record up' }
  const isUsedUp = reply.status === 429 && /quota|credit/i.test(reply.text)
  return isUsedUp ? refused(reply, 'no_credits', false) : undefined
}
