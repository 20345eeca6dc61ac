import { fold } from '#contract/fold.ts'
import { isSameSite, mailboxKey } from '#server/names/keys.ts'
import { ALIKE, type NameParts } from '#server/names/likeness.ts'
import { textOf } from '#server/records/fields.ts'
import type { RecordKind } from '#server/records/kind.ts'

// Whether two records, or two rows of a file, are certainly one person or company. An address alone is not enough where
// several share it: a mailbox, or a host.

/** The facts about a person or company, to find existing records of it. */
export type Wanted = { name: string } & { [fact in 'linkedIn' | 'website' | 'email' | 'company']?: string | null }

/** Of a query for similar records, or of the fields and enriched values of a record. */
export const wantedOf = (known: { [field: string]: unknown; name?: string | undefined }): Wanted => ({
  name: known.name ?? '',
  linkedIn: textOf(known.linkedIn),
  website: textOf(known.website),
  email: textOf(known.email),
  company: textOf(known.company ?? known.current_company),
})

/** The name, folded, and the addresses in their normalised forms. */
export type Identity = { name: string; profile: string | null; site: string | null; mailbox: string | null }

type Kind = Pick<RecordKind, 'addresses' | 'matching'>

export const identityOf = ({ addresses, matching }: Kind, { name, linkedIn, website, email }: Wanted): Identity => ({
  name: fold(name),
  profile: (linkedIn && addresses.linkedIn?.(linkedIn)) || null,
  site: (website && addresses.website?.(website)) || null,
  mailbox: matching.byEmail && email ? mailboxKey(email) : null,
})

/** Whether two names, each in its forms, are spellings of one, or share a distinctive word. */
export const areAlike = ({ matching }: Kind, one: NameParts[], other: NameParts[]): boolean =>
  one.some((a) =>
    other.some((b) => matching.likeness(a, b) >= ALIKE || a.distinctive.some((word) => b.distinctive.includes(word))),
  )

/** `isAlike`: see `areAlike`. */
export function isCertain({ matching }: Kind, one: Identity, other: Identity, isAlike: () => boolean): boolean {
  const isSameProfile = compared(one.profile, other.profile, (a, b) => a === b)
  if (isSameProfile === false) return false
  if (isSameProfile && matching.isProfileEnough) return true
  const hasSameName = one.name === other.name
  const isSame = compared(one.site, other.site, isSameSite)
  if (isSameProfile || isSame || compared(one.mailbox, other.mailbox, (a, b) => a === b))
    return hasSameName || isAlike()
  return hasSameName && isSame !== false
}

/** Undefined where one of them is missing. */
const compared = (one: string | null, other: string | null, isEqual: (one: string, other: string) => boolean) =>
  one === null || other === null ? undefined : isEqual(one, other)
