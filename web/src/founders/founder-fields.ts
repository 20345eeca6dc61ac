import type { FounderEnrichment } from '#contract/founder.ts'

/** What people call the fields that outside data fills, in the order in which they are told. */
export const founderFields = {
  profile_picture_url: 'picture',
  current_title: 'title',
  current_company: 'company',
  bio: 'bio',
  email: 'email',
  website: 'website',
} satisfies Record<keyof FounderEnrichment, string>
