import type { InformationLetter } from '#contract/informing.ts'
import { nameOfProvider } from '#server/enrichment/providers/list.ts'
import type { Settings } from '#server/env.ts'
import { infoOf, textOf } from '#server/records/fields.ts'
import { IMPORT, PERSON as TYPED } from '#server/records/write/sources.ts'
import type { PersonRow } from './store.ts'

/** How the letter calls what a record holds. */
const HELD: Record<string, string> = {
  name: 'your name',
  linkedIn: 'the address of your LinkedIn profile',
  notes: 'notes on how we met',
  profile_picture_url: 'your picture',
  current_title: 'your title',
  current_company: 'your company',
  bio: 'a short biography',
  email: 'your email address',
  website: 'the address of your website',
}

/** The address that public data has, or a person has typed. */
export const emailOf = ({ info }: Pick<PersonRow, 'info'>): string | null => textOf(infoOf(info).email)

/** The kinds of data that a record holds, in words. */
export function heldOn(row: PersonRow): string[] {
  const values = { ...infoOf(row.info), name: row.name, linkedIn: row.linkedIn, notes: row.notes }
  const held = Object.entries(HELD).flatMap(([key, words]) => ((values as Record<string, unknown>)[key] ? words : []))
  return [...held, ...(row.isRated ? ['a rating'] : []), ...(row.hasNotes ? ['further notes of our fellows'] : [])]
}

/** Where the data comes from, in words. */
export function sourcesOf({ isImported, enrichment }: PersonRow): string[] {
  const providers = Object.values(enrichment.sources ?? {}).map(({ provider }) => provider)
  const isFromFile = isImported || providers.includes(IMPORT)
  const names = [...new Set(providers)].filter((id) => id !== IMPORT && id !== TYPED).map(nameOfProvider)
  return [
    ...(isImported ? [] : ['a fellow of our programme']),
    ...(isFromFile ? ['a list that our programme kept before'] : []),
    ...names.toSorted(),
  ]
}

const list = (lines: string[]) => lines.map((line) => `- ${line}`).join('\n')

/** A text for a person, by article 14 of the GDPR. The sender may change it. */
export function letterFor(
  row: PersonRow,
  { programmeName, contact }: Pick<Settings, 'programmeName' | 'contact'>,
): InformationLetter {
  const whom = contact ?? programmeName
  return {
    to: emailOf(row),
    subject: `What ${programmeName} keeps about you`,
    text: `Dear ${row.name},

${programmeName} keeps a list of founders whom its fellows have met or may want to meet. You are on it since ${row.createdAt.toISOString().slice(0, 10)}. We use it to decide whom we support. The people of the programme can read it. Our ground is our legitimate interest in finding founders (GDPR, article 6 (1) (f)).

What we keep:
${list(heldOn(row))}

Where it comes from:
${list(sourcesOf(row))}

We keep it until you object, or until we no longer need it for this purpose.

You may ask us for a copy, and to correct, restrict or erase it. You may object to its use at any time. You may also complain to a data protection authority.

To do so, write to ${whom}.

${programmeName}`,
  }
}
