import type { Field } from '#contract/fields.ts'
import type { KeptOnSurvivor } from '#contract/merge.ts'
import { labelOf } from './history-words.ts'

/** The data that an undo kept on the survivor: `2 notes (added after the merge), rating (changed after the merge)`. */
export function keptSentence(kept: KeptOnSurvivor[], fields: readonly Field[]): string {
  const counts = new Map<string, { what: string; reason: string; count: number }>()
  for (const { what, reason } of kept) {
    const key = JSON.stringify([what, reason])
    const { count = 0 } = counts.get(key) ?? {}
    counts.set(key, { what, reason, count: count + 1 })
  }
  return [...counts.values()]
    .map(({ what, reason, count }) => `${amountOf(what, count, fields)} (${lowered(reason)})`)
    .join(', ')
}

const amountOf = (what: string, count: number, fields: readonly Field[]) => {
  if (what === 'information') return 'the mark as informed'
  // What is no value of the record is a row of another table.
  return labelOf(what, fields) ?? `${count} ${what}${count === 1 ? '' : 's'}`
}

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)
