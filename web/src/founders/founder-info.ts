import type { FounderEnrichment } from '#contract/founder.ts'
import { isText, readAdditionalInfo } from '#web/records/additional-info.ts'

/** The labels of the enriched fields, in the order shown. */
export const founderLabels = {
  profile_picture_url: 'picture',
  current_title: 'title',
  current_company: 'company',
  bio: 'bio',
  email: 'email',
  website: 'website',
} satisfies Record<keyof FounderEnrichment, string>

export const readFounderInfo = (text: string | null) =>
  readAdditionalInfo<FounderEnrichment>(text, {
    profile_picture_url: isText,
    current_title: isText,
    current_company: isText,
    bio: isText,
    email: isText,
    website: isText,
  })
