import type { DuplicateReason } from '#contract/duplicates.ts'
import { capital } from '#contract/plain-text.ts'

/** The reasons why two records may be one, in words. */
export const reasonWords: Record<DuplicateReason, string> = {
  linkedin: 'same LinkedIn profile',
  email: 'same email',
  domain: 'same website',
  same_name_company: 'same name, same company',
  same_name: 'same name',
  name_company: 'similar name, same company',
  name: 'similar name',
}

/** `Same email · similar name`. */
export const reasonSentence = (reasons: DuplicateReason[]) =>
  capital(reasons.map((reason) => reasonWords[reason]).join(' · '))
