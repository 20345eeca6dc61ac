import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Kind } from '#contract/kinds.ts'
import { recordPath } from '#web/paths.ts'
import classes from './record-name.module.css'

type RecordNameProps = { kind: Pick<Kind, 'path'>; record: { id: string }; children: ReactNode }

/** The name of a record, as a link to its page. */
export const RecordName = ({ kind, record, children }: RecordNameProps) => (
  <Link to={recordPath(kind, record)} className={classes.link} dir="auto">
    {children}
  </Link>
)
