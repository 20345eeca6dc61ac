import { Anchor } from '@mantine/core'
import { formatDay } from '#web/lib/dates.ts'
import classes from './duplicate-hint.module.css'
import type { RecordRow } from './record-row.ts'

type DuplicateHintProps = {
  known: RecordRow | null | undefined
  /** Where records of this kind are searched. */
  list: string
}

/** Under a field: whose record has what is in it already. Opened beside the form, so that what was typed stays. */
export const DuplicateHint = ({ known, list }: DuplicateHintProps) => (
  <div role="status">
    {known && (
      <p className={classes.note}>
        <Anchor
          href={`${list}?${new URLSearchParams({ search: known.name })}`}
          target="_blank"
          inherit
          underline="always"
          className={classes.name}
        >
          <bdi>{known.name}</bdi>
          <span className="visually-hidden"> (opens in a new tab)</span>
        </Anchor>{' '}
        is already here, added{' '}
        {known.createdBy !== null && (
          <>
            by <bdi className={classes.name}>{known.createdBy}</bdi>{' '}
          </>
        )}
        on <time dateTime={known.createdAt}>{formatDay(known.createdAt)}</time>
      </p>
    )}
  </div>
)
