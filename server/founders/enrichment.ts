import { and, eq } from 'drizzle-orm'
import { type FounderEnrichHints, FounderEnrichment } from '#contract/founder.ts'
import type { Database } from '#server/db/database.ts'
import { founders } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { FounderFindings, FounderSubject } from '#server/enrichment/provider.ts'
import { ended } from '#server/enrichment/state.ts'
import { actingAs } from '#server/history/acting.ts'
import { readInfo } from '#server/records/additional-info.ts'
import { gitHubLogin, linkedInPerson } from '#server/records/keys.ts'
import { searchTextWith } from '#server/records/search-text.ts'
import { keepPicture, pictureAddress } from './pictures.ts'

const fields = FounderEnrichment.keyof().options

/** Nobody types what enrichment can say of a founder, so all of it is asked for anew. */
export const founderEnrichment: EnrichedKind<KnownFounder, FounderSubject, FounderFindings, FounderEnrichHints> = {
  name: 'founder',
  table: founders,

  load: getKnown,

  toEnrich(founder, hints) {
    const info = readInfo(founder.additionalInfo)
    const subject: FounderSubject = {
      name: hints.name || founder.name,
      linkedIn: linkedInPerson(founder.linkedIn),
      company: hints.company || text(info.current_company),
      github: gitHubLogin([founder.linkedIn, founder.notes, text(info.website) ?? ''].join('\n')),
    }
    return { subject, open: fields, state: founder.enrichment }
  },

  asking: ({ askFounder }, subject) => askFounder?.(subject),

  async prepare(id, { profile_picture_url: found, ...rest }, outside, signal) {
    if (typeof found?.value !== 'string') return { found: rest }
    const { getPicture } = await import('#server/enrichment/pictures/get-picture.ts')
    const picture = await getPicture(outside, found.value, signal)
    if (picture === undefined) return { found: rest }
    const fetchedAt = new Date()
    return {
      found: { ...rest, profile_picture_url: { ...found, value: pictureAddress(id, fetchedAt) } },
      keepMore: (tx) => keepPicture(tx, id, picture, fetchedAt),
    }
  },

  async keep(tx, id, findings, end) {
    const founder = await getKnown(tx, id)
    if (founder === undefined) return
    const info = { ...readInfo(founder.additionalInfo), ...findings }
    await tx
      .update(founders)
      .set({
        additionalInfo: JSON.stringify(info),
        searchText: searchTextWith(founders.searchText, [undefined, undefined, text(info.current_company) ?? '']),
        ...ended(end),
      })
      .where(and(eq(founders.id, id), actingAs(end.by)))
  },

  async read(db, id, wanted) {
    const founder = await getKnown(db, id)
    const info = readInfo(founder?.additionalInfo ?? null)
    return Object.fromEntries(wanted.map((field) => [field, info[field]]))
  },
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const known = {
  id: founders.id,
  name: founders.name,
  linkedIn: founders.linkedIn,
  notes: founders.notes,
  additionalInfo: founders.additionalInfo,
  enrichment: founders.enrichment,
}

/** What a run needs of a founder. */
type KnownFounder = Pick<typeof founders.$inferSelect, keyof typeof known>

async function getKnown(db: Database, id: string): Promise<KnownFounder | undefined> {
  const [founder] = await db.select(known).from(founders).where(eq(founders.id, id))
  return founder
}
