import { z } from 'zod'
import { companyFields } from './company-fields.ts'
import { createdParts, refreshAnswer } from './enrichment.ts'
import type { InfoName } from './fields.ts'
import { filterShapes } from './filter-shapes.ts'
import { ownFilters } from './filters.ts'
import { NAME_MAX, RATING_DEFAULT } from './limits.ts'
import { listQueryParts, ownShapes, patchParts, rating, recordName, recordNotes, recordParts } from './record.ts'
import { SecondaryMatch } from './secondary-match.ts'
import { optionalText } from './text.ts'

const own = ownShapes(companyFields)

export const CompanyInput = z.object({
  name: recordName,
  ...own.input,
  notes: recordNotes,
  rating: rating.default(RATING_DEFAULT),
})
export type CompanyInput = z.infer<typeof CompanyInput>

export const CompanyPatch = z.object({ ...patchParts, ...own.patch })
export type CompanyPatch = z.infer<typeof CompanyPatch>

/** Corrections of values, by their names. An empty text empties a field, or gives it back to enrichment. */
export const CompanyCorrection = z.object(own.correction)
export type CompanyCorrection = z.infer<typeof CompanyCorrection>

export const Company = z.object({ ...recordParts, ...own.record })
export type Company = z.infer<typeof Company>

/** A company in a list, with the place that mentions the term of `in=mentions`. */
export const ListedCompany = Company.extend({ mention: SecondaryMatch.optional() })

export const CompanyListQuery = z.object({ ...listQueryParts, ...filterShapes(ownFilters.company) })
export type CompanyListQuery = z.infer<typeof CompanyListQuery>

/** Which values to suggest for a filter. */
export const CompanyValuesQuery = z.object({
  of: z.enum(['industry', 'place'], { error: 'Of must be industry or place' }).meta({ description: 'The filter' }),
  search: optionalText('Search', NAME_MAX).optional().meta({ description: 'How they begin, in any case' }),
})

/** The typed fields of a company, to find similar records. */
export const CompanySimilarQuery = CompanyListQuery.pick({ website: true }).extend({
  name: optionalText('Name', NAME_MAX).optional(),
})

/** The public data of a company: the shape inside `additionalInfo` and of `enrichedData`. */
export const CompanyEnrichment = z.object({
  industry: z.string().optional(),
  employee_count: z.union([z.number(), z.string()]).optional(),
  founded_year: z.union([z.number(), z.string()]).optional(),
  headquarters: z
    .union([z.string(), z.object({ address_formatted: z.string().optional(), city: z.string().optional() })])
    .optional(),
  description: z.string().optional(),
} satisfies Record<InfoName<typeof companyFields>, z.ZodType>)
export type CompanyEnrichment = z.infer<typeof CompanyEnrichment>

/** The findings of one run: `additionalInfo`, and addresses that no person typed. */
export const CompanyFindings = CompanyEnrichment.extend({
  website: z.string().optional(),
  linkedIn: z.string().optional(),
})
export type CompanyFindings = z.infer<typeof CompanyFindings>

/** The response of `create`: the record, and the findings of enrichment until then. */
export const CompanyCreated = Company.extend(createdParts(CompanyFindings))
export type CompanyCreated = z.infer<typeof CompanyCreated>

export const CompanyRefresh = refreshAnswer(CompanyFindings)
export type CompanyRefresh = z.infer<typeof CompanyRefresh>

/** Hints for one run of `enrich`. They are not stored. */
export const CompanyEnrichHints = z.object({
  name: optionalText('Name', 200).optional(),
  domain: optionalText('Domain', 253).optional(),
})
export type CompanyEnrichHints = z.infer<typeof CompanyEnrichHints>
