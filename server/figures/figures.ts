import type { Calibration, FigureCount, Figures, FiguresQuery, MyFigures, Share } from '#contract/figures.ts'
import { TOO_FEW } from '#contract/limits.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { passingReasons } from '#server/db/schema.ts'
import { type CohortKind, cohortValue } from '#server/lists/cohorts/cohort.ts'
import {
  addedCohort,
  calibrationCohort,
  myCalibrationCohort,
  myCohort,
  myPassedCohort,
  stayedCohort,
  workedCohort,
} from '#server/lists/cohorts/figures.ts'
import type { Reading } from '#server/lists/query.ts'
import { listStages, stagesFrom } from '#server/pipeline/stages.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { countMine, countReached, countWorked, listAdded, listRated, listTimesInStage } from './store.ts'

type Kind = Pick<RecordKind, 'name'>
type Caller = Pick<Account, 'id'>

/** Writes the cohorts of one caller. */
const signer =
  (secret: string, caller: Caller) =>
  <Params extends unknown[]>(kind: CohortKind<Params>, ...params: Params) =>
    cohortValue({ secret, caller }, kind, ...params)

const share = (counted: FigureCount, of: number): Share => ({
  ...counted,
  of,
  share: of < TOO_FEW ? null : counted.count / of,
})

type Outcome = 'rated' | 'advanced' | 'passed'

const calibration = (counts: Record<Outcome, number>, cohortOf: (outcome: Outcome) => string): Calibration => {
  const counted = (outcome: Outcome) => ({ count: counts[outcome], cohort: cohortOf(outcome) })
  return {
    rated: counted('rated'),
    advanced: share(counted('advanced'), counts.rated),
    passed: share(counted('passed'), counts.rated),
  }
}

/** How many have been in one of the stages. */
const sumReached = (rows: readonly { reached: string[]; count: number }[], stages: readonly string[]): number =>
  rows.reduce((sum, { reached, count }) => sum + (reached.some((id) => stages.includes(id)) ? count : 0), 0)

/** The figures of the programme, for one kind of record. */
export async function getFigures(
  { db, secret }: Reading,
  kind: Kind,
  caller: Caller,
  { period: length }: FiguresQuery,
): Promise<Figures> {
  const cohortOf = signer(secret, caller)
  const [stages, added, reached, worked, times, rated] = await Promise.all([
    listStages(db),
    listAdded(db, kind, length),
    countReached(db, kind, length),
    countWorked(db, kind, length),
    listTimesInStage(db, kind),
    listRated(db, kind),
  ])
  // An archived stage shows where records were in it.
  const shown = stages.filter(({ id, archived }) => !archived || reached.some((row) => row.reached.includes(id)))
  const named = shown.map(({ id, name }) => ({ stage: { id, name } }))
  const workedIn = (period: string, step: string | null) =>
    worked.find((row) => row.period === period && row.step === step)?.count ?? 0
  const periods = [...new Set(worked.map(({ period }) => period))].sort().reverse()
  const programme = rated.reduce(
    (sum, row) => ({
      rated: sum.rated + row.rated,
      advanced: sum.advanced + row.advanced,
      passed: sum.passed + row.passed,
    }),
    { rated: 0, advanced: 0, passed: 0 },
  )
  return {
    added: added.map(({ period, ...row }) => {
      const of = (count: number, step: string) => ({ count, cohort: cohortOf(addedCohort, period ?? 'all', step) })
      const inPeriod = reached.filter((one) => one.period === period)
      const reachedOf = (id: string) => sumReached(inPeriod, stagesFrom(stages, id))
      return {
        period,
        added: of(row.added, 'all'),
        reached: named.map(({ stage }) => ({ stage, ...share(of(reachedOf(stage.id), stage.id), row.added) })),
        advanced: share(of(row.advanced, 'advanced'), row.added),
        passed: share(of(row.passed, 'passed'), row.added),
        noted: share(of(row.noted, 'noted'), row.added),
        daysToNote: row.daysToNote,
      }
    }),
    worked: periods.map((period) => {
      const total = workedIn(period, null)
      const of = (step: string) =>
        share({ count: workedIn(period, step), cohort: cohortOf(workedCohort, period, step) }, total)
      return {
        period,
        worked: { count: total, cohort: cohortOf(workedCohort, period, 'all') },
        added: of('added'),
        reached: named.map(({ stage }) => ({ stage, ...of(stage.id) })),
        advanced: of('advanced'),
        passed: of('passed'),
      }
    }),
    timeInStage: named.map(({ stage }) => {
      const { count = 0, days = null } = times.find((row) => row.stage === stage.id) ?? {}
      return { stage, count, cohort: cohortOf(stayedCohort, stage.id), days }
    }),
    programme: calibration(programme, (outcome) => cohortOf(calibrationCohort, 'all', outcome)),
    fellows: rated.map(({ fellow, name, ...counts }) => ({
      fellow: fellow === null ? null : { id: fellow, name: name ?? '' },
      ...calibration(counts, (outcome) => cohortOf(calibrationCohort, fellow ?? 'none', outcome)),
    })),
  }
}

const REACHED = 'reached:'

/** The figures of a fellow's own records of a kind. */
export async function getMyFigures({ db, secret }: Reading, kind: Kind, caller: Caller): Promise<MyFigures> {
  const cohortOf = signer(secret, caller)
  const [stages, reasons, rows] = await Promise.all([
    listStages(db),
    db.select().from(passingReasons),
    countMine(db, kind, caller.id),
  ])
  const counts = new Map(rows.map(({ step, count }) => [step, count]))
  const count = (step: string) => counts.get(step) ?? 0
  const found = count('found')
  const of = (step: string, counted = count(step)) => share({ count: counted, cohort: cohortOf(myCohort, step) }, found)
  const reached = rows
    .filter(({ step }) => step.startsWith(REACHED))
    .map(({ step, count }) => ({ reached: step.slice(REACHED.length).split(','), count }))
  const nameOf = (reason: string) => reasons.find(({ id }) => id === reason)?.name ?? ''
  return {
    found: { count: found, cohort: cohortOf(myCohort, 'all') },
    reached: stages
      .filter(({ id, archived }) => !archived || sumReached(reached, [id]) > 0)
      .map(({ id, name }) => ({ stage: { id, name }, ...of(id, sumReached(reached, stagesFrom(stages, id))) })),
    advanced: of('advanced'),
    passed: of('passed'),
    reasons: rows
      .filter(({ step }) => step.startsWith('reason:'))
      .map(({ step, count }) => ({ reason: step.slice('reason:'.length), count }))
      .sort((one, other) => other.count - one.count || (nameOf(one.reason) < nameOf(other.reason) ? -1 : 1))
      .map(({ reason, count }) => ({
        reason: reason === 'none' ? null : { id: reason, name: nameOf(reason) },
        ...{ count, cohort: cohortOf(myPassedCohort, reason) },
      })),
    calibration: calibration(
      { rated: count('rated'), advanced: count('rated:advanced'), passed: count('rated:passed') },
      (outcome) => cohortOf(myCalibrationCohort, outcome),
    ),
  }
}
