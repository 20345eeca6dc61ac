import '@mantine/core/styles/Checkbox.css'
import '#web/ui/touch-targets.css'
import { Anchor, Button, Checkbox, Paper } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { UninformedFounder } from '#contract/informing.ts'
import { PERSON } from '#contract/kinds.ts'
import { dayHere, formatDay } from '#web/lib/dates.ts'
import { recordPath } from '#web/paths.ts'
import classes from './informing.module.css'

type UninformedFounderItemProps = {
  founder: UninformedFounder
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onWrite: () => void
  onSent: () => void
}

/** A founder to inform: until when, and what a manager does about it. */
export function UninformedFounderItem({ founder, isChosen, onChoose, onWrite, onSent }: UninformedFounderItemProps) {
  const { name, email, addedAt, dueAt } = founder
  const isLate = dayHere(new Date(dueAt)) < dayHere()
  return (
    <Paper withBorder className={classes.founder}>
      <Checkbox
        aria-label={`Choose ${name}`}
        checked={isChosen}
        onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
      />
      <div className={classes.text}>
        <p className={classes.name}>
          <Anchor component={Link} to={recordPath(PERSON, founder)} inherit>
            <bdi>{name}</bdi>
          </Anchor>
        </p>
        <p className={classes.meta}>
          <span className={isLate ? classes.late : undefined}>
            {isLate ? 'Late: was due on' : 'Due on'} <time dateTime={dueAt}>{formatDay(dueAt)}</time>
          </span>{' '}
          · added on <time dateTime={addedAt}>{formatDay(addedAt)}</time> · <bdi>{email ?? 'no email address'}</bdi>
        </p>
      </div>
      <div className={classes.buttons}>
        <Button variant="default" leftSection={<IconMail size={16} stroke={1.5} />} onClick={onWrite}>
          Letter<span className="visually-hidden"> to {name}</span>
        </Button>
        <Button variant="default" onClick={onSent}>
          Mark as sent<span className="visually-hidden"> to {name}</span>
        </Button>
      </div>
    </Paper>
  )
}
