import { IconStarFilled } from '@tabler/icons-react'
import { RATING_MAX } from '#contract/limits.ts'
import classes from './rating.module.css'

/** A rating to read: one star and `8/10`. */
export const Rating = ({ rating }: { rating: number }) => (
  <span className={classes.root}>
    <IconStarFilled size={14} aria-hidden="true" className={classes.star} />
    <span>
      <span className="visually-hidden">Rating </span>
      {rating}/{RATING_MAX}
    </span>
  </span>
)
