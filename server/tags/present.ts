import type { RecordTag, Tag } from '#contract/tags.ts'
import type { Account } from '#server/auth/session.ts'
import { canEditTag } from './policy.ts'
import type { TagRow } from './store.ts'

export const presentTag = (caller: Account, tag: TagRow): Tag => ({
  id: tag.id,
  name: tag.name,
  can: { edit: canEditTag(caller, tag) },
})

export const presentRecordTag = ({ id, name }: RecordTag): RecordTag => ({ id, name })
