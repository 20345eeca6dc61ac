/** What a record may lack, as the filter `quality` of lists names it. */
export const qualityKinds = ['unmatched', 'unnoted', 'duplicate', 'overdue'] as const
export type QualityKind = (typeof qualityKinds)[number]
