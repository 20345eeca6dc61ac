import { foundFields, keyOf } from '#contract/fields.ts'
import type { FounderEnrichHints } from '#contract/founder.ts'
import { founderFields } from '#contract/founder-fields.ts'
import type { KindEnrichment } from '#server/enrichment/kind.ts'
import type { FounderFindings, FounderSubject } from '#server/enrichment/provider.ts'
import { gitHubLogin, linkedInPerson } from '#server/names/keys.ts'
import { textOf } from '#server/records/fields.ts'
import { isFromPerson } from '#server/records/write/sources.ts'
import { pictureAddress, savePicture } from './pictures.ts'

/** No enriched field of a founder is a column, so each run asks for all of them, except those that a person gave. */
export const founderEnrichment: KindEnrichment<FounderSubject, FounderFindings, FounderEnrichHints> = {
  fields: foundFields(founderFields).map(keyOf),
  columns: [],
  isTyped: ({ state }, field) => isFromPerson(state, field),

  subjectOf: ({ name, linkedIn, notes, info }, hints) => ({
    name: hints.name || name,
    linkedIn: linkedInPerson(linkedIn ?? ''),
    company: hints.company || textOf(info.current_company),
    github: gitHubLogin([linkedIn ?? '', notes, textOf(info.website) ?? ''].join('\n')),
  }),

  resolver: ({ askFounder }, subject) => askFounder?.(subject),

  async prepare(id, { profile_picture_url: found, ...rest }, guardedClient, signal) {
    if (typeof found?.value !== 'string') return { found: rest }
    const { getPicture } = await import('#server/enrichment/pictures/get-picture.ts')
    const picture = await getPicture(guardedClient, found.value, signal)
    if (picture === undefined) return { found: rest }
    const fetchedAt = new Date()
    return {
      found: { ...rest, profile_picture_url: { ...found, value: pictureAddress(id, fetchedAt) } },
      saveRelated: (tx) => savePicture(tx, id, picture, fetchedAt),
    }
  },
}
