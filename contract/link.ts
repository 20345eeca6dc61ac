import { z } from 'zod'
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
