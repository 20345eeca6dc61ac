import { Paper, Title } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import { kindNamed } from '#contract/kinds.ts'
import type { WeekGroup } from '#contract/week.ts'
import { type WeekPartName, weekNumberWords, weekParts } from '#contract/week-parts.ts'
import { CountLink } from '#web/figures/numbers.tsx'
import { recordPath } from '#web/paths.ts'
import classes from './week.module.css'

const WITHOUT = { stage: 'No stage', reason: 'No reason', fellow: 'No fellow' } as const

/** The numbers of a part of a week by stage, reason or fellow, each with its first records. */
export function WeekPart({ part, groups }: { part: WeekPartName; groups: WeekGroup[] }) {
  const id = useId()
  const { title, about, of } = weekParts[part]
  const names = [...new Set(groups.map(({ name }) => name))]
  return (
    <Paper withBorder component="section" className={classes.part} aria-labelledby={id}>
      <Title order={3} size="h4" id={id}>
        {title}
      </Title>
      <p className={classes.about}>{about}.</p>
      <ul className={classes.rows}>
        {names.map((name) => (
          <li key={name} className={classes.row} data-named={of !== null || undefined}>
            {of !== null && <strong className={classes.name}>{name === null ? WITHOUT[of] : <bdi>{name}</bdi>}</strong>}
            <div className={classes.groups}>
              {groups
                .filter((group) => group.name === name)
                .map((group) => (
                  <Group key={group.kind} group={group} />
                ))}
            </div>
          </li>
        ))}
      </ul>
    </Paper>
  )
}

function Group({ group: { part, kind, name, count, cohort, records } }: { group: WeekGroup }) {
  const { path, name: one } = kindNamed(kind)
  const noun = count === 1 ? one : path
  const cut = count - records.length
  return (
    <div className={classes.group}>
      <span>
        <CountLink
          of={{ count, cohort }}
          kind={kind}
          label={[noun, weekParts[part].title, ...(name === null ? [] : [name])].join(', ')}
        />{' '}
        <span className={classes.noun}>{noun}</span>
      </span>
      <span className={classes.records}>
        {records.map(({ id, name, number }, place) => (
          <span key={id}>
            {place > 0 && ', '}
            <Link to={recordPath(kindNamed(kind), { id })} className={classes.record}>
              <bdi>{name}</bdi>
            </Link>
            {number !== null && <span className={classes.noun}> {weekNumberWords(part, number)}</span>}
          </span>
        ))}
        {cut > 0 && ` and ${cut.toLocaleString('en')} more`}
      </span>
    </div>
  )
}
