import type { FinderSummary } from '#contract/finder.ts'
import { grouped } from '#web/ui/shown-count.ts'

/** `Found by Maya, Jonas and 2 others`. */
export const finderSentence = ({ names, count }: FinderSummary): string => {
  if (count === 0) return 'Added'
  const others = count - names.length
  const all = others > 0 ? [...names, `${others} ${others === 1 ? 'other' : 'others'}`] : names
  return `Found by ${all.length === 1 ? all[0] : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`}`
}

/** After the name of the first finder: `and 56 others`. */
export const othersWords = (count: number) => `and ${grouped(count)} ${count === 1 ? 'other' : 'others'}`
