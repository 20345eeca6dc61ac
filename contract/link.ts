import { z } from 'zod'
import { Similar } from './duplicates.ts'
import { ROLE_MAX } from './limits.ts'
import { hasControls } from './plain-text.ts'
import { listQueryParts, RecordId } from './record.ts'
import { optionalText } from './text.ts'

export const LinkParams = z.object({ id: RecordId, companyId: RecordId })

/** Without a role, a new link has none, and a known one keeps its role. An empty role clears it. */
export const LinkInput = z.object({
  role: optionalText('Role', ROLE_MAX)
    .refine((text) => !hasControls(text), { error: 'Role must be on one line' })
    .optional(),
})
export type LinkInput = z.infer<typeof LinkInput>

/** A record that is linked to another one. */
export const LinkedRecord = z.object({
  id: z.uuid().meta({ description: 'The id of the linked record' }),
  name: z.string(),
  role: z.string().meta({ description: 'Empty without a role' }),
})
export type LinkedRecord = z.infer<typeof LinkedRecord>

export const LinksQuery = z.object({ limit: listQueryParts.limit, cursor: listQueryParts.cursor })

/**
 * Why a founder may belong to a company. The name of the founder's current company is that of the company, in whatever
 * case, or another form of it; the founder's email address is at the company's website.
 */
export const LinkReason = z.enum(['same_company', 'similar_company', 'email_domain'])
export type LinkReason = z.infer<typeof LinkReason>

/** The maximum number of links suggested for a record. */
export const SUGGESTED_LINKS_MAX = 3

/** A record that may be linked to another one. */
export const SuggestedLink = Similar.pick({ id: true, name: true, title: true, company: true, facts: true }).extend({
  role: z.string().meta({ description: "The founder's title, if it is that at this company; else empty" }),
  reasons: z.array(LinkReason).meta({ description: 'Most certain first' }),
})
export type SuggestedLink = z.infer<typeof SuggestedLink>
