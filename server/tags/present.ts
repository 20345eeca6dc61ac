import type { RecordTag, Tag } from '#contract/tags.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { may, rights } from '#server/rights.ts'
import { ownerOf } from './policy.ts'
import type { TagRow } from './store.ts'

export const presentTag = (caller: Account, tag: TagRow): Tag => ({
  id: tag.id,
  name: tag.name,
  can: { edit: may(caller, rights.changeTags, ownerOf(tag)) },
})

export const presentRecordTag = ({ id, name }: RecordTag): RecordTag => ({ id, name })
