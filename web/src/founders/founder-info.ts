import type { FounderEnrichment } from '#contract/founder.ts'
import { isText, readAdditionalInfo } from '#web/records/additional-info.ts'

export const readFounderInfo = (text: string | null) =>
  readAdditionalInfo<FounderEnrichment>(text, {
    profile_picture_url: isText,
    current_title: isText,
    current_company: isText,
    bio: isText,
    email: isText,
    website: isText,
  })
