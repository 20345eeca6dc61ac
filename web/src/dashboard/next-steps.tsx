import { Anchor, Button, Paper, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { NextStep } from '#contract/board.ts'
import { kindNamed } from '#contract/kinds.ts'
import { kinds } from '#web/kinds.ts'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { searchPath } from '#web/paths.ts'
import { StepDay } from '#web/pipeline/step-line.tsx'
import { RecordLink } from '#web/records/card/record-link.tsx'
import { LoadMore } from '#web/records/list/load-more.tsx'
import { ChangeActs } from '#web/session/change-acts.tsx'
import { DownloadLink } from '#web/ui/buttons/download-link.tsx'
import { RetryButton } from '#web/ui/buttons/retry-button.tsx'
import { lazyPart } from '#web/ui/states/lazy-part.tsx'
import classes from './next-steps.module.css'
import { dueSteps, mySteps } from './next-steps-query.ts'
import { groupOf, groupTitles, type StepGroup, shownSteps, stepGroups } from './step-groups.ts'
import { useDone } from './use-done.ts'

/** What a change or its undo may ask, once one was made. */
const PipelinePrompts = lazyPart(
  'A question could not be shown.',
  async () => (await import('#web/pipeline/prompts/pipeline-prompts.tsx')).PipelinePrompts,
)

/** My next steps: late, today and in the next seven days, or all. Absent without any. */
export function NextSteps() {
  const list = useInfiniteQuery(mySteps)
  const [shown, show] = useQueryParam('steps')
  const isAll = shown === 'all'
  const { hasBegun, ...doing } = useDone()
  const prompts = hasBegun && <PipelinePrompts />
  if (list.isError && !list.data)
    return (
      <Paper withBorder component="section" className={classes.root} aria-label="My next steps" role="alert">
        <p className={classes.none}>Your next steps could not be loaded.</p>
        <RetryButton retry={list.refetch} />
      </Paper>
    )
  const steps = list.data?.pages.flatMap(({ rows }) => rows) ?? []
  if (steps.length === 0) return prompts
  const rows = shownSteps(steps, isAll)
  const hasMore = rows.length < steps.length || list.hasNextPage
  return (
    <Paper withBorder component="section" className={classes.root} aria-label="My next steps">
      <Title order={2} size="h4">
        My next steps
      </Title>
      {prompts}
      <Steps rows={rows} {...doing} />
      {rows.length === 0 && <p className={classes.none}>Nothing is due in the next seven days.</p>}
      {isAll && <LoadMore list={list} isLoading={list.isFetchingNextPage} />}
      <div className={classes.foot}>
        {(hasMore || isAll) && (
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.all ?? ''}
            onClick={() => show(isAll ? '' : 'all')}
          >
            {isAll ? 'Show fewer' : 'Show all'}
            <span className="visually-hidden"> of my next steps</span>
          </Button>
        )}
        <DownloadLink path="/next-steps.ics" className={classes.file ?? ''}>
          Calendar file
          <span className="visually-hidden"> of all my next steps</span>
        </DownloadLink>
      </div>
    </Paper>
  )
}

type StepsProps = Pick<ReturnType<typeof useDone>, 'done' | 'isBusy'> & { rows: NextStep[] }

function Steps({ rows, done, isBusy }: StepsProps) {
  const list = useRef<HTMLDivElement>(null)
  /** The place of the row whose button had the focus when its step was done. */
  const ended = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once the row is no longer drawn
  useEffect(() => {
    if (ended.current === undefined || document.activeElement !== document.body) return
    const buttons = list.current?.querySelectorAll('button') ?? []
    ;(buttons[Math.min(ended.current, buttons.length - 1)] ?? list.current)?.focus()
    ended.current = undefined
  }, [rows.length])
  return (
    <div ref={list} tabIndex={-1} className={classes.groups}>
      {stepGroups.map((group) => {
        const steps = rows.filter((row) => groupOf(row) === group)
        if (steps.length === 0) return null
        return (
          <div key={group}>
            <div className={classes.head}>
              <h3 className={classes.title} data-late={group === 'late' || undefined}>
                {groupTitles[group]}
              </h3>
              <Counts group={group} />
            </div>
            <ul className={classes.list} aria-label={groupTitles[group]}>
              {steps.map((step) => (
                <StepRow
                  key={step.record.id}
                  step={step}
                  isBusy={isBusy}
                  onDone={() => {
                    ended.current = rows.indexOf(step)
                    void done(step)
                  }}
                />
              ))}
            </ul>
          </div>
        )
      })}
    </div>
  )
}

type StepRowProps = { step: NextStep; isBusy: boolean; onDone: () => void }

const StepRow = ({ step: { kind, record, nextStep, nextOn }, isBusy, onDone }: StepRowProps) => (
  <li className={classes.row}>
    <span className={classes.day}>
      <StepDay nextOn={nextOn} />
    </span>
    <bdi className={classes.text} title={nextStep ?? undefined}>
      {nextStep ?? 'Next step'}
    </bdi>
    <span className={classes.name} title={record.name}>
      <RecordLink kind={kindNamed(kind)} record={record} isPlain={false} />
    </span>
    <ChangeActs>
      <Button
        variant="default"
        size="compact-sm"
        className={classes.done ?? ''}
        aria-disabled={isBusy || undefined}
        onClick={onDone}
      >
        Done
        <span className="visually-hidden"> with the next step with {record.name}</span>
      </Button>
    </ChangeActs>
  </li>
)

/** How many are late or due today. Each number leads to exactly those records. */
const Counts = ({ group }: { group: StepGroup }) => {
  const { data } = useQuery(dueSteps)
  const next = group === 'today' ? 'due' : group
  if (!data || (next !== 'late' && next !== 'due')) return null
  return kinds.map((kind) => {
    const count = data[next][kind.path]
    if (count === 0) return null
    return (
      <Anchor
        key={kind.name}
        component={Link}
        to={`${searchPath(kind)}?${new URLSearchParams({ responsible: data.responsible, next })}`}
        className={classes.count ?? ''}
      >
        {count} {count === 1 ? kind.name : kind.path}
        <span className="visually-hidden"> {next === 'late' ? 'late' : 'today'}</span>
      </Anchor>
    )
  })
}
