import type { Kind } from '#contract/kinds.ts'
import type { Since } from '#contract/since.ts'
import { type SinceKey, sinceKeys } from '#contract/since-keys.ts'

type Named = Pick<Kind, 'name' | 'path'>
/** `cohort` is the filter of the list, by which the number is cleared once it was opened. */
export type SinceItem<Of extends Named> = { key: SinceKey; kind: Of; cohort: string; text: string }

/** The numbers that are not zero, in words. */
export const itemsIn = <Of extends Named>(since: Since, kinds: readonly Of[]): SinceItem<Of>[] =>
  sinceKeys.flatMap((key) =>
    kinds.flatMap((kind) => {
      const number = since[key][kind.name]
      if (number === undefined || number.count === 0) return []
      const count = `${number.count}${number.hasMore ? '+' : ''}`
      const text = `${count} new ${number.count === 1 ? kind.name : kind.path}`
      return [{ key, kind, cohort: number.cohort, text }]
    }),
  )
