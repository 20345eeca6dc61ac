import { Link } from 'react-router'
import type { FigureCount, FiguresQuery, Share } from '#contract/figures.ts'
import { type KindName, kindNamed } from '#contract/kinds.ts'
import { TOO_FEW } from '#contract/limits.ts'
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
export const CountLink = ({ of: { count, cohort }, kind, label }: Of & { of: FigureCount; label: string }) => (
  <NumberLink count={count} to={listPath(kind, { cohort })} label={label} />
)

const FEW = `fewer than ${TOO_FEW}`

/** A number among others, and its share: `6 · 46 %`. */
export const ShareLink = ({ of: { share, of, ...counted }, kind, label }: Of & { of: Share; label: string }) => (
  <span className={classes.share} title={`of ${of}`}>
    <CountLink of={counted} kind={kind} label={label} />
    <span className={classes.more}>{share === null ? FEW : `· ${Math.round(share * 100)} %`}</span>
  </span>
)

export const Days = ({ days }: { days: number | null }) =>
  days === null ? <span className={classes.more}>{FEW}</span> : daysOf(days)

export const daysOf = (days: number) => `${days.toLocaleString('en', { maximumFractionDigits: days < 10 ? 1 : 0 })} d`
