import type { QualityKind } from '#contract/quality-kinds.ts'

export const qualityWords: Record<QualityKind, string> = {
  unmatched: 'No public data found',
  unnoted: 'No fellow note after 14 days',
  duplicate: 'Possible duplicates',
  overdue: 'Over the limit of their stage',
}
