import { ROLE_MAX } from '#contract/limits.ts'
import type { LinkedRecord, SuggestedLink } from '#contract/link.ts'
import { hasControls } from '#contract/plain-text.ts'
import type { RecordKind } from '#server/records/kind.ts'
import type { LinkRow } from './store.ts'
import type { SuggestionRow } from './suggestions.ts'

export const presentLink = ({ linkedId, name, role }: LinkRow): LinkedRecord => ({ id: linkedId, name, role })

export function presentSuggestion(kind: RecordKind, row: SuggestionRow): SuggestedLink {
  const { title, company, facts } = kind.brief(row.info)
  return { id: row.id, name: row.name, title, company, facts, role: roleOf(row), reasons: row.reasons }
}

/** A founder with an email address at one company may have the title at another. */
function roleOf({ title, reasons }: SuggestionRow): string {
  const isAtCompany = reasons.some((reason) => reason !== 'email_domain')
  return isAtCompany && title !== null && title.length <= ROLE_MAX && !hasControls(title) ? title : ''
}
