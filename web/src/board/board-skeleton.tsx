import { Skeleton } from '@mantine/core'
import type { RecordKind } from '#web/records/kind.ts'
import classes from './board.module.css'

const COLUMNS = [4, 3, 2, 2]

/** The places of columns and cards while the board loads. */
export const BoardSkeleton = ({ kind }: { kind: RecordKind }) => (
  <div className={classes.board} role="status" aria-busy="true" aria-label={`Loading the pipeline of ${kind.path}`}>
    {COLUMNS.map((cards, column) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the columns have no other key
      <div key={column} className={classes.column}>
        <div className={classes.head}>
          <Skeleton height={14} width={96} />
        </div>
        <div className={classes.body}>
          {Array.from({ length: cards }, (_, card) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nor have the cards
            <Skeleton key={card} height={88} mb={8} radius={8} />
          ))}
        </div>
      </div>
    ))}
  </div>
)
