import { IconStarFilled } from '@tabler/icons-react'
import { RATING_MAX } from '#contract/limits.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import classes from './rating.module.css'

/** A rating to read: one star and `8/10`. A record that was imported without a rating has none. */
export const Rating = ({ record: { rating, isRated } }: { record: Pick<RecordRow, 'rating' | 'isRated'> }) =>
  isRated ? (
    <span className={classes.root}>
      <IconStarFilled size={14} aria-hidden="true" className={classes.star} />
      <span>
        <span className="visually-hidden">Rating </span>
        {rating}/{RATING_MAX}
      </span>
    </span>
  ) : (
    <span className={classes.none}>Not rated</span>
  )
