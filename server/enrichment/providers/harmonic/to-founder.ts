import { emailAddress, firstOf, text, webAddress } from '#server/enrichment/findings.ts'
import type { FounderFindings } from '#server/enrichment/provider.ts'
import type { Person } from './client.ts'

export function toFounder(person: Person): FounderFindings {
  const job = person.experience.find(({ is_current_position }) => is_current_position === true)
  const websites = person.websites.map((website) => (typeof website === 'string' ? website : website.url))
  return {
    profile_picture_url: webAddress(person.profile_picture_url),
    current_title: text(job?.title),
    current_company: text(job?.company_name),
    bio: text(person.linkedin_headline, 10_000),
    email: firstOf(...[person.contact.primary_email, ...person.contact.emails].map(emailAddress)),
    website: firstOf(...websites.map(webAddress)),
  }
}
