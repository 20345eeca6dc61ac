import {
  Founder,
  FounderCreated,
  FounderEnrichHints,
  FounderEnrichment,
  FounderInput,
  FounderListQuery,
  FounderPatch,
  FounderRefresh,
  FounderSimilarQuery,
} from '#contract/founder.ts'
import { kindNamed } from '#contract/kinds.ts'
import { presentEnrichment } from '#server/enrichment/state.ts'
import { textOf } from '#server/records/fields.ts'
import { linkedInPerson } from '#server/records/keys.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { personLikeness } from '#server/records/likeness.ts'
import { nameVariants } from '#server/records/nicknames.ts'
import { presentRecord } from '#server/records/present.ts'
import { hasAddress } from '#server/records/query.ts'
import { founderEnrichment } from './enrichment.ts'

/** Declares the founder kind. */
export const founderKind: RecordKind<FounderInput> & { enrichment: typeof founderEnrichment } = {
  ...kindNamed('founder'),
  contract: {
    Record: Founder,
    Input: FounderInput,
    Patch: FounderPatch,
    ListQuery: FounderListQuery,
    SimilarQuery: FounderSimilarQuery,
    Created: FounderCreated,
    Refresh: FounderRefresh,
    Hints: FounderEnrichHints,
  },
  fields: ['name', 'linkedIn', 'notes', 'rating'],
  infoFields: { company: 'current_company', title: 'current_title', email: 'email', bio: 'bio' },
  searched: ['name', 'notes', 'current_company'],
  filters: { linkedIn: hasAddress },
  lookup: { field: 'linkedIn', column: 'linkedInKey', reason: 'linkedin', keyOf: linkedInPerson },
  matching: {
    forms: 'person_forms',
    words: 'name_words',
    keys: 'person_keys',
    likeness: personLikeness,
    distinctive: null,
    variants: nameVariants,
    byEmail: true,
    wanted: ({ name = '', linkedIn, email, company, current_company }) => ({
      name,
      address: textOf(linkedIn),
      email: textOf(email),
      company: textOf(company ?? current_company),
    }),
  },
  brief: (info) => ({
    picture: textOf(info.profile_picture_url),
    title: textOf(info.current_title),
    company: textOf(info.current_company),
    facts: null,
  }),
  shownInHistory: ['name', 'linkedIn', 'notes', 'rating', ...FounderEnrichment.keyof().options],
  enrichment: founderEnrichment,
  present: (caller, row): Founder => ({
    ...presentRecord(caller, row),
    linkedIn: row.linkedIn ?? '',
    enrichment: presentEnrichment(row.enrichment),
  }),
}
