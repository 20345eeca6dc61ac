import type { DuplicateReason, Similar } from '#contract/duplicates.ts'
import { capital } from '#contract/plain-text.ts'
import type { Pair } from './api.ts'

/** The reasons why two records may be one, in words. */
const reasonWords: Record<DuplicateReason, string> = {
  linkedin: 'same LinkedIn profile',
  email: 'same email',
  domain: 'same website',
  same_name_company: 'same name, same company',
  same_name: 'same name',
  name_company: 'similar name, same company',
  name: 'similar name',
}

/** An address that two names or two profiles share is not certain. */
const isShared = (reasons: DuplicateReason[], isCertain: boolean) =>
  !isCertain && reasons.some((reason) => reason === 'linkedin' || reason === 'email' || reason === 'domain')

/** `same website, may be shared`. */
export const reasonText = ({ reason, isCertain }: Pick<Similar, 'reason' | 'isCertain'>) =>
  `${reasonWords[reason]}${isShared([reason], isCertain) ? ', may be shared' : ''}`

/** `Same email · similar name`, or `May be the same: same email`. */
export const reasonSentence = ({ reasons, isCertain }: Pick<Pair, 'reasons' | 'isCertain'>) => {
  const words = reasons.map((reason) => reasonWords[reason]).join(' · ')
  return isShared(reasons, isCertain) ? `May be the same: ${words}` : capital(words)
}
