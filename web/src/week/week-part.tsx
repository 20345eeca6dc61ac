import { Paper, Title } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import { kindNamed } from '#contract/kinds.ts'
import type { WeekGroup } from '#contract/week.ts'
import { type WeekPartName, weekNumberWords, weekParts } from '#contract/week-parts.ts'
import { CountLink } from '#web/figures/numbers.tsx'
import { recordPath } from '#web/paths.ts'
import classes from './week.module.css'

/** What fits on two pages: the records that a number names on paper, and the rows of a part. What is cut is said. */
const PAPER_RECORDS = 3
const PAPER_RECORDS_OF: Partial<Record<WeekPartName, number>> = { found: 0, late: 1 }
const PAPER_ROWS = 60
const PAPER_ROWS_OF: Partial<Record<WeekPartName, number>> = { late: 12 }

const WITHOUT = { stage: 'No stage', reason: 'No reason', fellow: 'No fellow' } as const

/** The numbers of a part of a week by stage, reason or fellow, each with its first records. */
export function WeekPart({ part, groups }: { part: WeekPartName; groups: WeekGroup[] }) {
  const id = useId()
  const { title, about, of } = weekParts[part]
  const names = [...new Set(groups.map(({ name }) => name))]
  const onPaper = PAPER_ROWS_OF[part] ?? PAPER_ROWS
  return (
    <Paper withBorder component="section" className={classes.part} aria-labelledby={id}>
      <Title order={3} size="h4" id={id}>
        {title}
      </Title>
      <p className={classes.about}>{about}.</p>
      <ul className={classes.rows} data-of={of} data-part={part}>
        {names.map((name, place) => (
          <li
            key={name}
            className={classes.row}
            data-named={of !== null || undefined}
            data-cut={place >= onPaper || undefined}
          >
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
      {names.length > onPaper && (
        <p className={classes.paper}>and {(names.length - onPaper).toLocaleString('en')} more</p>
      )}
    </Paper>
  )
}

function Group({ group: { part, kind, name, count, cohort, records } }: { group: WeekGroup }) {
  const { path, name: one } = kindNamed(kind)
  const noun = count === 1 ? one : path
  const cut = count - records.length
  const onPaper = Math.min(records.length, PAPER_RECORDS_OF[part] ?? PAPER_RECORDS)
  const cutOnPaper = count - onPaper
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
          <span key={id} data-cut={place >= onPaper || undefined}>
            {place > 0 && ', '}
            <Link to={recordPath(kindNamed(kind), { id })} className={classes.record}>
              <bdi>{name}</bdi>
            </Link>
            {number !== null && <span className={classes.noun}> {weekNumberWords(part, number)}</span>}
          </span>
        ))}
        {cut > 0 && <span className={classes.screen}>{` and ${cut.toLocaleString('en')} more`}</span>}
        {/* Of a fellow the number alone says it. */}
        {weekParts[part].of !== 'fellow' && cutOnPaper > 0 && (
          <span className={classes.paper}>{` and ${cutOnPaper.toLocaleString('en')} more`}</span>
        )}
      </span>
    </div>
  )
}
