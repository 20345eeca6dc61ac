import type { Kind } from '#contract/kinds.ts'
import type { Since } from '#contract/since.ts'
import { type SeenKey, type SinceKey, sinceKeys } from '#contract/since-keys.ts'

/** The other keys count new records. */
const words: { [Key in SinceKey]?: (count: string, noun: string) => string } = {
  notesOnMine: (count, noun) => `notes on ${count} of your ${noun}`,
  givenToMe: (count, noun) => `${count} ${noun} given to you`,
  awaitingOpinion: (count, noun) => `${count} ${noun} waiting for your opinion`,
}

type Named = Pick<Kind, 'name' | 'path'>
/** `filter` is that of the list. A number with `seen` is cleared once the list was opened. */
export type SinceItem<Of extends Named> = {
  key: SinceKey
  kind: Of
  filter: { cohort: string } | { opinion: 'missing' }
  seen: SeenKey | undefined
  text: string
}

/** The numbers that are not zero, in words. */
export const itemsIn = <Of extends Named>(since: Since, kinds: readonly Of[]): SinceItem<Of>[] =>
  sinceKeys.flatMap((key) =>
    kinds.flatMap((kind) => {
      const number = since[key][kind.name]
      if (number === undefined || number.count === 0) return []
      const count = `${number.count}${number.hasMore ? '+' : ''}`
      // One of your founders is still one of several.
      const isOne = number.count === 1 && key !== 'notesOnMine'
      const noun = isOne ? kind.name : kind.path
      const text = words[key]?.(count, noun) ?? `${count} new ${noun}`
      return [
        'cohort' in number
          ? { key, kind, filter: { cohort: number.cohort }, seen: key as SeenKey, text }
          : { key, kind, filter: { opinion: 'missing' }, seen: undefined, text },
      ]
    }),
  )
