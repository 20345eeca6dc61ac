/** What a record may lack, as the filter `quality` of lists names it. */
export const qualityWords = {
  unmatched: 'No public data found',
  unnoted: 'No fellow note after 14 days',
  duplicate: 'Possible duplicates',
  overdue: 'Over the limit of their stage',
} as const

export type QualityKind = keyof typeof qualityWords
export const qualityKinds = Object.keys(qualityWords) as QualityKind[]
