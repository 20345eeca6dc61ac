import { Anchor } from '@mantine/core'
import type { Kind } from '#contract/kinds.ts'
import { formatDay } from '#web/lib/dates.ts'
import { searchPath } from '#web/paths.ts'
import classes from './duplicate-hint.module.css'
import type { RecordRow } from './record-row.ts'

type DuplicateHintProps = { kind: Kind; duplicate: RecordRow | null | undefined }

/** Under a field: the record that already has its address. Its link opens a new tab, so the form keeps its values. */
export const DuplicateHint = ({ kind, duplicate }: DuplicateHintProps) => (
  <div role="status">
    {duplicate && (
      <p className={classes.note}>
        <Anchor
          href={`${searchPath(kind)}?${new URLSearchParams({ search: duplicate.name })}`}
          target="_blank"
          inherit
          underline="always"
          className={classes.name}
        >
          <bdi>{duplicate.name}</bdi>
          <span className="visually-hidden"> (opens in a new tab)</span>
        </Anchor>{' '}
        is already here, added{' '}
        {duplicate.createdBy !== null && (
          <>
            by <bdi className={classes.name}>{duplicate.createdBy}</bdi>{' '}
          </>
        )}
        on <time dateTime={duplicate.createdAt}>{formatDay(duplicate.createdAt)}</time>.
      </p>
    )}
  </div>
)
