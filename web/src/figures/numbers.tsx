import { Paper, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { Link } from 'react-router'
import type { FigureCount, FiguresQuery, Share } from '#contract/figures.ts'
import { type KindName, kindNamed } from '#contract/kinds.ts'
import { searchPath } from '#web/paths.ts'
import classes from './figures.module.css'

type Of = { kind: FiguresQuery['kind'] }

/** The list of a kind with these filters. */
export const listPath = (name: KindName, filters: Record<string, string>) =>
  `${searchPath(kindNamed(name))}?${new URLSearchParams(filters)}`

export const NumberLink = ({ count, to, label }: { count: number; to: string; label: string }) => (
  <Link to={to} className={classes.number} aria-label={`${count}, ${label}`}>
    {count.toLocaleString('en')}
  </Link>
)

/** A number that opens its records. */
export const CountCell = ({ of: { count, cohort }, kind, label }: Of & { of: FigureCount; label: string }) => (
  <td>
    <NumberLink count={count} to={listPath(kind, { cohort })} label={label} />
  </td>
)

/** A number among others, and its share. */
export const ShareCell = ({ of: { share, of, ...counted }, kind, label }: Of & { of: Share; label: string }) => (
  <td>
    <NumberLink count={counted.count} to={listPath(kind, { cohort: counted.cohort })} label={label} />
    <span className={classes.more}>{share === null ? `of ${of}: too few` : `of ${of}: ${percent(share)}`}</span>
  </td>
)

const percent = (share: number) => share.toLocaleString('en', { style: 'percent', maximumFractionDigits: 0 })

export const DaysCell = ({ days }: { days: number | null }) => (
  <td>{days === null ? <span className={classes.more}>too few</span> : daysOf(days)}</td>
)

const daysOf = (days: number) => `${days.toLocaleString('en', { maximumFractionDigits: days < 10 ? 1 : 0 })} d`

type PartProps = { title: string; about: string; columns: string[]; children: ReactNode }

/** A table with what it counts. */
export const Part = ({ title, about, columns, children }: PartProps) => {
  const id = useId()
  return (
    <Paper withBorder component="section" className={classes.part} aria-labelledby={id}>
      <Title order={2} size="h4" id={id}>
        {title}
      </Title>
      <p className={classes.about}>{about}</p>
      <div className={classes.scroll}>
        <table className={classes.table} aria-labelledby={id}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
    </Paper>
  )
}
