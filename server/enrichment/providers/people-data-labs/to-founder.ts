import { emailAddress, firstOf, text, webAddress } from '#server/enrichment/findings.ts'
import type { FounderFindings } from '#server/enrichment/provider.ts'
import type { Person } from './client.ts'

// A field outside the plan contains `true`, which only shows that it exists. There is no field for a picture.

export function toFounder(person: Person): FounderFindings {
  const emails = [person.work_email, person.recommended_personal_email, ...person.emails.map(({ address }) => address)]
  return {
    current_title: text(person.job_title),
    current_company: text(person.job_company_name),
    bio: firstOf(text(person.summary, 10_000), text(person.headline, 10_000)),
    email: firstOf(...emails.map(emailAddress)),
    website: webAddress(person.job_company_website),
  }
}
