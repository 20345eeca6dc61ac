import type { CSSProperties } from 'react'
import { RATING_MAX } from '#contract/limits.ts'
import classes from './rating-stars.module.css'

/** A rating to look at: ten small stars and the number. */
export const RatingStars = ({ rating }: { rating: number }) => (
  <span className={classes.root}>
    <span className={classes.stars} style={filled(rating)} aria-hidden="true" />
    <span className={classes.number}>
      <span className="visually-hidden">Rating </span>
      {rating}/{RATING_MAX}
    </span>
  </span>
)

const filled = (rating: number) => ({ '--filled': rating / RATING_MAX }) as CSSProperties
