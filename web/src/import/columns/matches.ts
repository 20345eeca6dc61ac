import type { Import } from '#contract/import.ts'
import { type MatchedField, matchedFields } from '#contract/pipeline-fields.ts'
import { countOf } from '#web/import/words.ts'

// Values of a file that are not known by name: what a person chooses for them.

export type Matches = Required<Pick<Import, 'choices' | 'createTags'>>

export const matchesOf = ({ choices, createTags }: Import): Matches => ({ choices, createTags })

export const hasUnmatched = ({ unmatched }: Import): boolean => Object.keys(unmatched).length > 0

const words: Record<MatchedField | 'tags', [string, string]> = {
  stage: ['stage', 'stages'],
  status: ['status', 'statuses'],
  responsible: ['fellow', 'fellows'],
  reason: ['reason', 'reasons'],
  tags: ['tag', 'tags'],
}

/** `2 stages, 1 tag` */
export const unmatchedWords = ({ unmatched }: Import): string =>
  ([...matchedFields, 'tags'] as const)
    .flatMap((field) => {
      const values = unmatched[field] ?? []
      return values.length > 0 ? [countOf(values.length, ...words[field])] : []
    })
    .join(', ')
