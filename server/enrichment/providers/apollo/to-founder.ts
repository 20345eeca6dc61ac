import { emailAddress, firstOf, text, webAddress } from '#server/enrichment/findings.ts'
import type { FounderFindings } from '#server/enrichment/provider.ts'
import type { Person } from './client.ts'

export function toFounder(person: Person): FounderFindings {
  const job = person.employment_history.find(({ current }) => current === true)
  return {
    profile_picture_url: picture(person.photo_url),
    current_title: firstOf(text(person.title), text(job?.title)),
    current_company: firstOf(text(person.organization.name), text(job?.organization_name)),
    bio: text(person.headline, 10_000),
    // Any other status is a guess, or a placeholder for an address that costs extra.
    email: person.email_status === 'verified' ? emailAddress(person.email) : undefined,
    website: webAddress(person.organization.website_url),
  }
}

/** `static.licdn.com/aero-v1` is the grey placeholder for people without a picture. */
function picture(value: unknown): string | undefined {
  const address = webAddress(value)
  return address && /^https?:\/\/static\.licdn\.com\/aero-v1\//i.test(address) ? undefined : address
}
