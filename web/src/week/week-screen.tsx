import '#web/ui/touch-targets.css'
import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconDownload, IconPrinter } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import type { Week } from '#contract/week.ts'
import { type WeekPartName, weekPartNames, weekParts } from '#contract/week-parts.ts'
import { isWeek, weekAfter, weekOf, weekWords } from '#contract/weeks.ts'
import { FiguresSkeleton, NothingYet } from '#web/figures/states.tsx'
import { programmePath } from '#web/paths.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { getWeek, saveWeek } from './api.ts'
import classes from './week.module.css'
import { WeekPart } from './week-part.tsx'

/** What a week has brought: the running one, or that of the address. */
export function WeekScreen() {
  const running = weekOf(Date.now())
  const { week = running } = useParams()
  const { data, error, refetch } = useQuery(getWeek(week))
  return (
    <>
      {isWeek(week) && <WeekBar week={week} running={running} />}
      {data ? (
        <Shown week={data} />
      ) : error ? (
        <ErrorState title="The week could not be loaded" error={error} retry={refetch} />
      ) : (
        <FiguresSkeleton />
      )}
    </>
  )
}

const pathOf = (week: string, running: string) => programmePath(week === running ? 'week' : `week/${week}`)

function WeekBar({ week, running }: { week: string; running: string }) {
  const { mutate: save, isPending } = useMutation(saveWeek)
  const step = (weeks: number, label: string, icon: typeof IconChevronLeft) => {
    const Icon = icon
    return (
      <Button
        component={Link}
        variant="default"
        to={pathOf(weekAfter(week, weeks), running)}
        aria-label={label}
        className={classes.step ?? ''}
      >
        <Icon size={16} stroke={1.5} aria-hidden="true" />
      </Button>
    )
  }
  return (
    <div className={classes.bar}>
      {step(-1, 'The week before', IconChevronLeft)}
      {week < running && step(1, 'The week after', IconChevronRight)}
      {week !== running && (
        <Button component={Link} variant="subtle" to={programmePath('week')}>
          This week
        </Button>
      )}
      <span className={classes.acts}>
        <Button
          variant="default"
          leftSection={<IconPrinter size={16} stroke={1.5} aria-hidden="true" />}
          onClick={() => print()}
        >
          Print
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} stroke={1.5} aria-hidden="true" />}
          disabled={isPending}
          onClick={() => save(week, { onError: (failure) => toasts.failure(failure, 'Failed to export') })}
        >
          CSV
        </Button>
      </span>
    </div>
  )
}

const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

function Shown({ week: { week, from, until, at, isRunning, groups } }: { week: Week }) {
  const { name } = useCurrentUser()
  const has = (part: WeekPartName) => groups.some((group) => group.part === part)
  const parts = weekPartNames.filter(has)
  const empty = weekPartNames.filter((part) => !has(part) && (part !== 'late' || isRunning))
  return (
    <article className={classes.week} aria-labelledby="week">
      <h2 id="week" className={classes.title}>
        {weekWords(week)}
        <span className={classes.days}>{day.formatRange(Date.parse(from), Date.parse(until))}</span>
      </h2>
      <p className={classes.at}>
        As of {moment.format(Date.parse(at))} UTC. What was taken back, merged or deleted since does not count. Days are
        counted in UTC.
      </p>
      {parts.length === 0 && <NothingYet text="Nothing has happened in this week." />}
      {parts.map((part) => (
        <WeekPart key={part} part={part} groups={groups.filter((group) => group.part === part)} />
      ))}
      {parts.length > 0 && empty.length > 0 && (
        <p className={classes.at}>Nothing under {empty.map((part) => weekParts[part].title).join(', ')}.</p>
      )}
      <p className={classes.foot}>
        Printed by {name}, {moment.format(Date.now())} UTC. It contains personal data.
      </p>
    </article>
  )
}
