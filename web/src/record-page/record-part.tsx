import { Paper } from '@mantine/core'
import type { ReactNode, Ref } from 'react'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import classes from './record-page.module.css'

type RecordPartProps = { ref?: Ref<HTMLElement>; title: string; isFlush?: boolean; children: ReactNode }

/** A titled part of the page. A flush one has no padding around its content. */
export const RecordPart = ({ ref, title, isFlush = false, children }: RecordPartProps) => (
  <Paper
    ref={ref}
    tabIndex={ref ? -1 : undefined}
    withBorder
    component="section"
    // The list in a flush part is a region with the same name.
    aria-label={isFlush ? undefined : title}
    className={classes.part}
    data-flush={isFlush || undefined}
  >
    <h2 className={classes.title}>{title}</h2>
    {children}
  </Paper>
)

/** What the parts of the page need. `account` owns the drafts. */
export type PartProps = { kind: RecordKind; record: RecordRow; account: string }
