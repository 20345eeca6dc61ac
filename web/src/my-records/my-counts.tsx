import { Paper } from '@mantine/core'
import { addTotals } from '#web/records/totals.ts'
import classes from './my-counts.module.css'

type Total = string | null | undefined

/** How much one has gathered, whatever is searched for. */
export const MyCounts = ({ founders, companies }: { founders: Total; companies: Total }) => (
  <dl className={classes.counts}>
    <Count label="My Founders" total={addTotals([founders])} />
    <Count label="My Companies" total={addTotals([companies])} />
    <Count label="Total Records" total={addTotals([founders, companies])} />
  </dl>
)

const Count = ({ label, total }: { label: string; total: string | undefined }) => (
  <Paper withBorder className={classes.count}>
    <dt className={classes.label}>{label}</dt>
    <dd className={classes.number}>{total ?? '…'}</dd>
  </Paper>
)
