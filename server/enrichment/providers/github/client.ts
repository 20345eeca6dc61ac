import { z } from 'zod'
import type { Failed, Outcome, ProviderAccess } from '#server/enrichment/provider.ts'
import { askRecord, type Reply, refused, userAgent, waitOf } from '#server/enrichment/provider-client.ts'
import { field } from '../lenient.ts'

/** A user or an organisation, which has `description` in place of a user's `bio`. */
export const Profile = z.object({
  type: field,
  login: field,
  name: field,
  avatar_url: field,
  company: field,
  blog: field,
  location: field,
  email: field,
  bio: field,
  description: field,
})
export type Profile = z.infer<typeof Profile>

export const askUser = (access: ProviderAccess, login: string, signal: AbortSignal) =>
  askProfile(access, `/users/${encodeURIComponent(login)}`, signal)

export const askOrganisation = (access: ProviderAccess, login: string, signal: AbortSignal) =>
  askProfile(access, `/orgs/${encodeURIComponent(login)}`, signal)

function askProfile(
  { baseUrl, key, contact }: ProviderAccess,
  path: string,
  signal: AbortSignal,
): Promise<Outcome<Profile>> {
  const headers = {
    accept: 'application/vnd.github+json',
    'user-agent': userAgent(contact),
    'x-github-api-version': '2022-11-28',
    ...(key && { authorization: `Bearer ${key}` }),
  }
  return askRecord({ baseUrl, path, headers, signal }, Profile, (reply) => tooOften(reply, key))
}

/** It reports both of its limits by 403 or 429. Without a key, nothing else can be forbidden. */
function tooOften(reply: Reply, key: string): Failed | undefined {
  const { status, headers } = reply
  if (status !== 403 && status !== 429) return undefined
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0'
  if (status === 403 && !isUsedUp && !headers.has('retry-after') && key !== '') return undefined
  const failed = refused(reply, 'rate_limited', true)
  const reset = headers.get('x-ratelimit-reset')
  return isUsedUp && reset ? { ...failed, ...waitOf(Number(reset) - Date.now() / 1000) } : failed
}
