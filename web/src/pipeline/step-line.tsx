import { IconAlarm, IconChecklist } from '@tabler/icons-react'
import type { Pipeline } from '#contract/stage.ts'
import { formatDay, formatShortDay } from '#web/lib/dates.ts'
import classes from './step-line.module.css'
import { dueWord } from './words.ts'

type Step = Pick<Pipeline, 'nextStep' | 'nextOn'>

export const hasStep = ({ nextStep, nextOn }: Step) => nextStep !== null || nextOn !== null

/** A day of a next step: `Today`, `3 Mar 2026`, or with `late` behind it. A short one has no current year. */
export const StepDay = ({ nextOn, isShort = false }: { nextOn: string; isShort?: boolean }) => {
  const due = dueWord(nextOn)
  const format = isShort ? formatShortDay : formatDay
  return (
    <span className={classes.on} data-late={due === 'late' || undefined}>
      <time dateTime={nextOn}>{due === 'today' ? 'Today' : format(`${nextOn}T00:00`)}</time>
      {due === 'late' && ' · late'}
    </span>
  )
}

/** The next step of a record in one line, which is cut. */
export const StepLine = ({ step: { nextStep, nextOn } }: { step: Step }) => {
  const isLate = nextOn !== null && dueWord(nextOn) === 'late'
  const Icon = isLate ? IconAlarm : IconChecklist
  return (
    <span className={classes.line} title={nextStep ?? undefined}>
      <Icon size={14} stroke={1.5} aria-hidden="true" className={classes.icon} />
      <span className="visually-hidden">Next step: </span>
      {nextStep !== null && <bdi className={classes.text}>{nextStep}</bdi>}
      {nextStep !== null && nextOn !== null && '·'}
      {nextOn !== null && <StepDay nextOn={nextOn} isShort />}
    </span>
  )
}
