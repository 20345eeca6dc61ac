import type { ownFilters } from '#contract/filters.ts'
import {
  Founder,
  FounderCorrection,
  FounderCreated,
  FounderEnrichHints,
  FounderInput,
  FounderListQuery,
  FounderPatch,
  FounderRefresh,
  FounderSimilarQuery,
  ListedFounder,
} from '#contract/founder.ts'
import { founderFields } from '#contract/founder-fields.ts'
import { kindNamed } from '#contract/kinds.ts'
import { presentEnrichment } from '#server/enrichment/state.ts'
import { createPresent, type PresentedKind } from '#server/lists/present.ts'
import { hasAddress } from '#server/lists/query.ts'
import { linkedInPerson } from '#server/names/keys.ts'
import { personLikeness } from '#server/names/likeness.ts'
import { nameVariants } from '#server/names/nicknames.ts'
import { textOf } from '#server/records/fields.ts'
import { declaredFields, type RecordFilter } from '#server/records/kind.ts'
import { founderEnrichment } from './enrichment.ts'

const present = createPresent(founderFields)

/** Declares the founder kind. */
export const founderKind: PresentedKind<FounderInput> & { enrichment: typeof founderEnrichment } = {
  ...kindNamed('founder'),
  contract: {
    Record: Founder,
    Listed: ListedFounder,
    Input: FounderInput,
    Patch: FounderPatch,
    Correction: FounderCorrection,
    ListQuery: FounderListQuery,
    SimilarQuery: FounderSimilarQuery,
    Created: FounderCreated,
    Refresh: FounderRefresh,
    Hints: FounderEnrichHints,
  },
  ...declaredFields(founderFields),
  filters: { linkedIn: hasAddress } satisfies Record<keyof typeof ownFilters.founder, RecordFilter>,
  lookup: { field: 'linkedIn', column: 'linkedInKey', reason: 'linkedin', keyOf: linkedInPerson },
  addresses: { linkedIn: linkedInPerson },
  matching: {
    forms: 'person_forms',
    words: 'name_words',
    keys: 'person_keys',
    likeness: personLikeness,
    distinctive: null,
    variants: nameVariants,
    byEmail: true,
    isProfileEnough: true,
  },
  brief: (info) => ({
    picture: textOf(info.profile_picture_url),
    title: textOf(info.current_title),
    company: textOf(info.current_company),
    facts: null,
  }),
  enrichment: founderEnrichment,
  present: (caller, row): Founder => ({ ...present(caller, row), enrichment: presentEnrichment(row.enrichment) }),
}
