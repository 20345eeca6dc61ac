import type { MergeInput, MergePreview } from '#contract/merge.ts'
import { newestFirst } from '#web/records/cache/newest-first.ts'
import type { RecordRow } from '#web/records/record-row.ts'

// The two records of a merge as the form shows them: the one found first, then the other one.

export type Both = { first: RecordRow; second: RecordRow }
export type Side = keyof Both
/** The side with the kept value, by field. Only notes can keep both. */
export type Choices = Record<string, Side | 'both'>

export function bothInOrder(one: RecordRow, other: RecordRow): Both {
  const [second, first] = [one, other].sort(newestFirst) as [RecordRow, RecordRow]
  return { first, second }
}

const otherSide = (side: Side): Side => (side === 'first' ? 'second' : 'first')

/** The body of the call, and of its preview. */
export function mergeInput(both: Both, survivor: Side, choices: Choices): MergeInput {
  const onWire = Object.entries(choices).map(([field, side]) => {
    if (side === 'both') return [field, side]
    return [field, side === survivor ? 'survivor' : 'duplicate']
  })
  return {
    survivorId: both[survivor].id,
    duplicateId: both[otherSide(survivor)].id,
    versions: { [both.first.id]: both.first.version, [both.second.id]: both.second.version },
    choices: Object.fromEntries(onWire),
  }
}

/** A field in which both records differ, with its values and its proposed choice. */
export type Difference = { field: string; first: string; second: string; proposed: Side | 'both' }

/** The differences in a preview. It may be one for the other survivor, which is shown until the next one has loaded. */
export function differencesIn(
  { differences, proposed, record }: MergePreview<RecordRow>,
  { first }: Both,
): Difference[] {
  const [survivor, duplicate] = record.id === first.id ? (['first', 'second'] as const) : (['second', 'first'] as const)
  const sides = { survivor, duplicate, both: 'both' } as const
  return differences.map(({ field, ...values }) => ({
    ...{ field, proposed: sides[proposed[field] ?? 'survivor'] },
    ...({ [survivor]: values.survivor, [duplicate]: values.duplicate } as Record<Side, string>),
  }))
}
