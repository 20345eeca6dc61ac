import { Input } from '@mantine/core'
import { IconStarFilled } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
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
  return (
    <fieldset className={classes.root} aria-describedby={description && `${id}-help`}>
      <Input.Label component="legend" className={classes.legend}>
        {label}
      </Input.Label>
      <div className={classes.row}>
        <div className={classes.stars} onPointerLeave={() => setPointedAt(null)}>
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
