import { z } from 'zod'
import { createdParts, refreshAnswer } from './enrichment.ts'
import type { InfoName } from './fields.ts'
import { filterShapes } from './filter-shapes.ts'
import { ownFilters } from './filters.ts'
import { founderFields } from './founder-fields.ts'
import { NAME_MAX, RATING_DEFAULT } from './limits.ts'
import { listQueryParts, ownShapes, patchParts, rating, recordName, recordNotes, recordParts } from './record.ts'
import { SecondaryMatch } from './secondary-match.ts'
import { optionalText } from './text.ts'

const own = ownShapes(founderFields)

export const FounderInput = z.object({
  name: recordName,
  ...own.input,
  notes: recordNotes,
  rating: rating.default(RATING_DEFAULT),
})
export type FounderInput = z.infer<typeof FounderInput>

export const FounderPatch = z.object({ ...patchParts, ...own.patch })
export type FounderPatch = z.infer<typeof FounderPatch>

/** Corrections of values, by their names. An empty text empties a field, or gives it back to enrichment. */
export const FounderCorrection = z.object(own.correction)
export type FounderCorrection = z.infer<typeof FounderCorrection>

export const Founder = z.object({ ...recordParts, ...own.record })
export type Founder = z.infer<typeof Founder>

/** A founder in a list, with the place that mentions the term of `in=mentions`. */
export const ListedFounder = Founder.extend({ mention: SecondaryMatch.optional() })

export const FounderListQuery = z.object({ ...listQueryParts, ...filterShapes(ownFilters.founder) })
export type FounderListQuery = z.infer<typeof FounderListQuery>

/** The typed fields of a founder, to find similar records. */
export const FounderSimilarQuery = FounderListQuery.pick({ linkedIn: true }).extend({
  name: optionalText('Name', NAME_MAX).optional(),
  company: optionalText('Company', NAME_MAX).optional(),
})

/** The public data of a founder: the shape inside `additionalInfo` and of `enrichedData`. */
export const FounderEnrichment = z.object({
  profile_picture_url: z.string().optional(),
  current_title: z.string().optional(),
  current_company: z.string().optional(),
  bio: z.string().optional(),
  email: z.string().optional(),
  website: z.string().optional(),
} satisfies Record<InfoName<typeof founderFields>, z.ZodType>)
export type FounderEnrichment = z.infer<typeof FounderEnrichment>

/** The response of `create`: the record, and the findings of enrichment until then. */
export const FounderCreated = Founder.extend(createdParts(FounderEnrichment))
export type FounderCreated = z.infer<typeof FounderCreated>

export const FounderRefresh = refreshAnswer(FounderEnrichment)
export type FounderRefresh = z.infer<typeof FounderRefresh>

/** Hints for one run of `enrich`. They are not stored. */
export const FounderEnrichHints = z.object({
  name: optionalText('Name', 200).optional(),
  company: optionalText('Company', 200).optional(),
})
export type FounderEnrichHints = z.infer<typeof FounderEnrichHints>
