import { emailAddress, firstOf, text, webAddress } from '#server/enrichment/findings.ts'
import type { FounderFindings } from '#server/enrichment/provider.ts'
import type { Person } from './client.ts'

export function toFounder(person: Person): FounderFindings {
  // The person deleted the profile or made it private since it was read.
  if (person.is_deleted === 1) return {}
  const job = person.experience.find(({ active_experience: isActive }) => isActive === 1 || isActive === true)
  const collected = person.professional_emails_collection.map(({ professional_email }) => professional_email)
  return {
    profile_picture_url: webAddress(person.picture_url),
    current_title: firstOf(text(person.active_experience_title), text(job?.position_title)),
    current_company: text(job?.company_name),
    bio: firstOf(text(person.summary, 10_000), text(person.headline, 10_000)),
    email: firstOf(...[person.primary_professional_email, ...collected].map(emailAddress)),
    website: webAddress(person.website),
  }
}
