import { emailAddress, text, webAddress } from '#server/enrichment/findings.ts'
import type { FounderFindings } from '#server/enrichment/provider.ts'
import type { Profile } from './client.ts'

export const toFounder = ({ avatar_url, company, bio, email, blog }: Profile): FounderFindings => ({
  profile_picture_url: webAddress(avatar_url),
  // People who link to their company write it as `@acme`.
  current_company: text(text(company)?.replace(/^@/, '')),
  bio: text(bio, 2_000),
  email: emailAddress(email),
  website: webAddress(blog),
})
