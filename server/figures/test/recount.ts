import type { KindName } from '#contract/kinds.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, finders, notes, records, stageChanges, stages } from '#server/db/schema.ts'

// Every figure by brute force, from whole tables: the ids of its records. It knows no statement of the product.

export type Counted = { count: number; cohort: string }
type Row = typeof records.$inferSelect

const median = (numbers: number[]): number | null => {
  if (numbers.length < 5) return null
  const sorted = numbers.toSorted((one, other) => one - other)
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1] ?? 0, sorted[Math.floor(sorted.length / 2)] ?? 0]
  return (low + high) / 2 / 86_400_000
}

/** `2026-Q3` or `2026-07`. */
export const periodOf = (at: Date, length: 'quarter' | 'month'): string => {
  const [year, month] = at.toISOString().split('-')
  return length === 'month' ? `${year}-${month}` : `${year}-Q${Math.ceil(Number(month) / 3)}`
}

export async function worldOf(db: Database, kind: KindName) {
  const [all, noted, stays, people, found, order] = await Promise.all([
    db.select().from(records),
    db.select().from(notes),
    db.select().from(stageChanges),
    db.select().from(accounts),
    db.select().from(finders),
    db.select().from(stages),
  ])
  const live = all.filter((record) => record.kind === kind)
  const staysOf = ({ id }: Row) => stays.filter(({ recordId }) => recordId === id)
  const ownerOf = ({ creatorId, creatorText }: Row): string | null =>
    creatorId ??
    people.find(({ email, emailVerified }) => emailVerified && email === creatorText?.toLowerCase())?.id ??
    null
  const treeOf = (id: string): Row[] => [
    ...all.filter((record) => record.id === id),
    ...all.filter(({ mergedInto }) => mergedInto === id).flatMap((one) => treeOf(one.id)),
  ]
  const isAnother = (record: Row, note: typeof notes.$inferSelect) =>
    note.authorId === null && ownerOf(record) === null
      ? note.authorText !== record.creatorText
      : note.authorId !== ownerOf(record)
  const firstNote = (record: Row) =>
    noted
      .filter((note) => note.recordId === record.id && isAnother(record, note))
      .map(({ createdAt }) => createdAt.getTime())
      .toSorted((one, other) => one - other)[0]
  const decidedAt = (record: Row) => Math.max(...staysOf(record).map(({ leftAt }) => leftAt?.getTime() ?? 0))

  /** In it or once in it, or in one after it: an archived stage stands in no order. */
  const hasReached = (record: Row, stage: string) => {
    const been = [record.stageId, ...staysOf(record).map(({ stageId }) => stageId)]
    const from = order.find(({ id }) => id === stage)
    return order.some(
      ({ id, position, archivedAt }) =>
        been.includes(id) &&
        (id === stage ||
          (from !== undefined && from.archivedAt === null && archivedAt === null && position > from.position)),
    )
  }
  const hasCome = (record: Row, step: string): boolean => {
    if (step === 'all') return true
    if (step === 'noted') return firstNote(record) !== undefined
    return step === 'advanced' || step === 'passed' ? record.status === step : hasReached(record, step)
  }
  const timeOf = (record: Row, step: string): number | undefined => {
    if (step === 'added') return record.createdAt.getTime()
    if (step === 'advanced' || step === 'passed') {
      return record.status === step && staysOf(record).length > 0 ? decidedAt(record) : undefined
    }
    const entered = staysOf(record).filter(({ stageId }) => stageId === step)
    return entered.length === 0 ? undefined : Math.min(...entered.map(({ enteredAt }) => enteredAt.getTime()))
  }
  const stageIds = [...new Set(stays.map(({ stageId }) => stageId))]
  const stayed = (stage: string) =>
    live.filter((record) => {
      const own = staysOf(record).filter(({ stageId }) => stageId === stage)
      return own.length > 0 && own.every(({ leftAt }) => leftAt !== null)
    })
  const isFoundBy = (record: Row, account: string) =>
    treeOf(record.id).some(
      (one) => ownerOf(one) === account || found.some((row) => row.recordId === one.id && row.accountId === account),
    )
  const ids = (rows: Row[]) => rows.map(({ id }) => id).toSorted()
  const inPeriod = (length: 'quarter' | 'month', period: string | null) => (record: Row) =>
    period === null || periodOf(record.createdAt, length) === period

  return {
    live,
    added: (length: 'quarter' | 'month', period: string | null, step: string) =>
      ids(live.filter(inPeriod(length, period)).filter((record) => hasCome(record, step))),
    daysToNote: (length: 'quarter' | 'month', period: string | null) =>
      median(
        live.filter(inPeriod(length, period)).flatMap((record) => {
          const at = firstNote(record)
          return at === undefined ? [] : [Math.max(0, at - record.createdAt.getTime())]
        }),
      ),
    worked: (length: 'quarter' | 'month', period: string, step: string) =>
      ids(
        live.filter((record) =>
          (step === 'all' ? ['added', 'advanced', 'passed', ...stageIds] : [step]).some((one) => {
            const at = timeOf(record, one)
            return at !== undefined && periodOf(new Date(at), length) === period
          }),
        ),
      ),
    stayed: (stage: string) => ids(stayed(stage)),
    daysInStage: (stage: string) =>
      median(
        stayed(stage).map((record) =>
          staysOf(record)
            .filter(({ stageId }) => stageId === stage)
            .reduce((sum, { enteredAt, leftAt }) => sum + (leftAt?.getTime() ?? 0) - enteredAt.getTime(), 0),
        ),
      ),
    /** Of a fellow by the public id; null without a known creator; undefined of all. */
    rated: (fellow: string | null | undefined, outcome: string) =>
      ids(
        live.filter((record) => {
          const owner = people.find(({ id }) => id === ownerOf(record))?.publicId ?? null
          const isTheirs = fellow === undefined || owner === fellow
          return isTheirs && (record.firstRating ?? 0) >= 8 && (outcome === 'rated' || record.status === outcome)
        }),
      ),
    mine: (account: string, step: string) =>
      ids(live.filter((record) => isFoundBy(record, account) && hasCome(record, step))),
    myPassed: (account: string, reason: string | null) =>
      ids(
        live.filter(
          (record) => isFoundBy(record, account) && record.status === 'passed' && record.passingReasonId === reason,
        ),
      ),
  }
}
