import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type WeekPartName, weekParts } from '#contract/week-parts.ts'
import { weekWords } from '#contract/weeks.ts'
import { getFellow } from '#web/fellows/api.ts'
import { listReasons, listStages } from '#web/pipeline/api.ts'

/** What the records behind a number have in common. The value says it before its signature, as the server writes it. */
export function CohortWords({ cohort }: { cohort: string }): ReactNode {
  const [name = '', ...parts] = contentOf(cohort)
  const Words = words[name]
  return Words ? <Words parts={parts} /> : 'Behind a number'
}

type Words = (props: { parts: string[] }) => ReactNode

const words: { [name: string]: Words | undefined } = {
  added: () => 'Added since you were last here',
  news: () => 'New or changed since you last looked',
  'given-at-once': () => 'Given to you at once',
  'changed-by-act': () => 'Changed at once, followed by you',
  'figure-added': ({ parts: [period = '', step = ''] }) => {
    const added = period === 'all' ? '' : `added in ${periodWords(period)}`
    if (step === 'all') return added === '' ? 'All added' : `A${added.slice(1)}`
    return <Step step={step} rest={added && `, ${added}`} />
  },
  'figure-worked': ({ parts: [period = '', step = ''] }) => {
    const known = { all: 'Active', added: 'Added', ...outcomes }[step]
    return (
      <>
        {known ?? (
          <>
            Moved to <StageName id={step} />
          </>
        )}
        {` in ${periodWords(period)}`}
      </>
    )
  },
  'figure-stayed': ({ parts: [stage = ''] }) => (
    <>
      Time in <StageName id={stage} /> has ended
    </>
  ),
  'figure-rated': ({ parts: [fellow = '', outcome = ''] }) => (
    <>
      {rated(outcome)} when added
      {fellow === 'none'
        ? ', by an unknown fellow'
        : fellow !== 'all' && (
            <>
              {' '}
              by <FellowName id={fellow} />
            </>
          )}
    </>
  ),
  'figure-mine': ({ parts: [step = ''] }) =>
    step === 'all' ? 'Found by you' : <Step step={step} rest=", found by you" />,
  'figure-my-passed': ({ parts: [reason = ''] }) => (
    <>
      {reason === 'none' ? (
        'Passed without a reason'
      ) : (
        <>
          Passed: <ReasonName id={reason} />
        </>
      )}
      , found by you
    </>
  ),
  week: ({ parts: [part = '', week = '', key = ''] }) => (
    <>
      {weekParts[part as WeekPartName]?.title ?? 'Behind a number'}
      <WeekKey part={part as WeekPartName} id={key} />
      {`, ${weekWords(week).toLowerCase()}, as of now`}
    </>
  ),
  'figure-my-rated': ({ parts: [outcome = ''] }) => `${rated(outcome)} when you added them`,
}

const outcomes: { [step: string]: string | undefined } = { advanced: 'Advanced', passed: 'Passed' }

const rated = (outcome: string) => (outcomes[outcome] ? `${outcomes[outcome]}, rated 8 to 10` : 'Rated 8 to 10')

const Step = ({ step, rest }: { step: string; rest: string }) => (
  <>
    {outcomes[step] ?? (step === 'noted' ? 'Noted by another fellow' : undefined) ?? (
      <>
        Reached <StageName id={step} />
      </>
    )}
    {rest}
  </>
)

const StageName = ({ id }: { id: string }) => {
  const { data: stages, isPending } = useQuery(listStages)
  const stage = stages?.find((one) => one.id === id)
  return stage ? <bdi>{stage.name}</bdi> : isPending ? '…' : 'a deleted stage'
}

const ReasonName = ({ id }: { id: string }) => {
  const { data: reasons, isPending } = useQuery(listReasons)
  const reason = reasons?.find((one) => one.id === id)
  return reason ? <bdi>{reason.name}</bdi> : isPending ? '…' : 'a deleted reason'
}

const WeekKey = ({ part, id }: { part: WeekPartName; id: string }) => {
  const { of } = weekParts[part] ?? { of: null }
  if (id === 'null' || of === null) return null
  const Name = { fellow: FellowName, stage: StageName, reason: ReasonName }[of]
  return (
    <>
      : <Name id={id} />
    </>
  )
}

const FellowName = ({ id }: { id: string }) => {
  const { data, isPending } = useQuery(getFellow(id))
  return data ? <bdi>{data.name}</bdi> : isPending ? '…' : 'a fellow'
}

const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Q3 2026, or July 2026. */
function periodWords(period: string): string {
  const [year, part = ''] = period.split('-')
  if (part.startsWith('Q')) return `${part} ${year}`
  const first = new Date(`${period}-01T00:00Z`)
  return Number.isNaN(first.getTime()) ? period : month.format(first)
}

/** The name of the cohort, and its parameters. */
function contentOf(cohort: string): string[] {
  try {
    const content: unknown = JSON.parse(atob((cohort.split('.')[0] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    return Array.isArray(content) ? content.map(String) : []
  } catch {
    return []
  }
}
