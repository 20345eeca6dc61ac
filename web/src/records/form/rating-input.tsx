import { Input } from '@mantine/core'
import { IconStarFilled } from '@tabler/icons-react'
import { type PointerEvent, type ReactNode, useId, useState } from 'react'
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts'
import classes from './rating-input.module.css'

type RatingInputProps = {
  label: string
  description?: string
  error?: ReactNode
  /** 0 while no star is chosen. */
  value: number
  onChange: (rating: number) => void
}

const ratings = Array.from({ length: RATING_MAX - RATING_MIN + 1 }, (_, index) => RATING_MIN + index)

/** Ten stars over real radio buttons, so that arrow keys, touch and screen readers work as usual. */
export const RatingInput = ({ label, description, error, value, onChange }: RatingInputProps) => {
  const id = useId()
  const [pointedAt, setPointedAt] = useState<number | null>(null)
  const shown = pointedAt ?? value
  // A finger that goes over the stars chooses the one below it. A tap is a click.
  const swipe = ({ pointerType, clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    if (pointerType === 'mouse') return
    const { left, width } = currentTarget.getBoundingClientRect()
    const place = Math.ceil(((clientX - left) / width) * ratings.length)
    const rating = Math.max(RATING_MIN, Math.min(place, RATING_MAX))
    if (rating !== value) onChange(rating)
  }
  return (
    <fieldset className={classes.root} aria-describedby={description && `${id}-help`}>
      <Input.Label component="legend" className={classes.legend}>
        {label}
      </Input.Label>
      <div className={classes.row}>
        <div className={classes.stars} onPointerMove={swipe} onPointerLeave={() => setPointedAt(null)}>
          {ratings.map((rating) => (
            <label
              key={rating}
              className={classes.star}
              data-filled={rating <= shown || undefined}
              onPointerEnter={(event) => event.pointerType === 'mouse' && setPointedAt(rating)}
            >
              <input
                type="radio"
                name={id}
                value={rating}
                checked={rating === value}
                onChange={() => onChange(rating)}
                aria-label={`${rating} of ${RATING_MAX}`}
              />
              <IconStarFilled aria-hidden="true" />
            </label>
          ))}
        </div>
        <output className={classes.number} aria-hidden="true">
          {shown === 0 ? 'Not rated' : `${shown}/${RATING_MAX}`}
        </output>
      </div>
      {description && <Input.Description id={`${id}-help`}>{description}</Input.Description>}
      {error && <Input.Error>{error}</Input.Error>}
    </fieldset>
  )
}
