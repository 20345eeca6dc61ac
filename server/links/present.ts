import type { LinkedRecord } from '#contract/link.ts'
import type { LinkRow } from './store.ts'

export const presentLink = ({ linkedId, name, role }: LinkRow): LinkedRecord => ({ id: linkedId, name, role })
