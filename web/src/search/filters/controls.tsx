import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { RATING_MAX, SEARCH_MAX } from '#contract/limits.ts'
import { qualityWords } from '#web/records/quality-words.ts'
import { tooLong } from '#web/ui/too-long.ts'
import type { ControlProps } from './control-props.ts'
import classes from './filter-form.module.css'

const RATINGS = ['', ...Array.from({ length: RATING_MAX }, (_, place) => String(place + 1))]
const ratingData = RATINGS.map((value) => ({ value, label: value || 'Any' }))

export const RatingRange = ({ filters: { ratingMin = '', ratingMax = '' }, change }: ControlProps) => (
  <div className={classes.pair}>
    <NativeSelect
      label="Rating from"
      data={ratingData}
      value={ratingMin}
      onChange={({ currentTarget: { value } }) =>
        change({ ratingMin: value, ...(isBeyond(Number(value), Number(ratingMax)) && { ratingMax: value }) })
      }
    />
    <NativeSelect
      label="Rating to"
      data={ratingData}
      value={ratingMax}
      onChange={({ currentTarget: { value } }) =>
        change({ ratingMax: value, ...(isBeyond(Number(ratingMin), Number(value)) && { ratingMin: value }) })
      }
    />
  </div>
)

export const DateRange = ({ filters: { addedAfter = '', addedBefore = '' }, change }: ControlProps) => (
  <div className={classes.pair}>
    <DateField
      label="Added from"
      value={addedAfter}
      onChange={(value) => change({ addedAfter: value, ...(isBeyond(value, addedBefore) && { addedBefore: value }) })}
    />
    <DateField
      label="Added until"
      value={addedBefore}
      onChange={(value) => change({ addedBefore: value, ...(isBeyond(addedAfter, value) && { addedAfter: value }) })}
    />
  </div>
)

/** Whether the start of a range is after its end, which then moves along. Empty ends are open. */
const isBeyond = <End extends string | number>(from: End, to: End) => Boolean(from && to) && from > to

export const NotesSelect = ({ filters: { hasNotes = '' }, change }: ControlProps) => (
  <NativeSelect
    label="Fellow notes"
    data={[
      { value: '', label: 'With or without' },
      { value: 'true', label: 'With fellow notes' },
      { value: 'false', label: 'Without fellow notes' },
    ]}
    value={hasNotes}
    onChange={({ currentTarget }) => change({ hasNotes: currentTarget.value })}
  />
)

export const OpinionSelect = ({ filters: { opinion = '' }, change }: ControlProps) => (
  <NativeSelect
    label="Opinions"
    data={[
      { value: '', label: 'With or without' },
      { value: 'missing', label: 'Waiting for yours' },
    ]}
    value={opinion}
    onChange={({ currentTarget }) => change({ opinion: currentTarget.value })}
  />
)

export const QualitySelect = ({ filters: { quality = '' }, change }: ControlProps) => (
  <NativeSelect
    label="Quality"
    data={[{ value: '', label: 'Any' }, ...Object.entries(qualityWords).map(([value, label]) => ({ value, label }))]}
    value={quality}
    onChange={({ currentTarget }) => change({ quality: currentTarget.value })}
  />
)

/** A value while it is typed, which follows the filter when that changes elsewhere. */
function useTyped(value: string) {
  const [typed, setTyped] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    setTyped(value)
  }
  return [typed, setTyped] as const
}

/** Years below are those of which only the first digits have been typed. */
const FIRST_DAY = '1970-01-01'

type FieldProps = { label: string; value: string; onChange: (value: string) => void }

const DateField = ({ label, value, onChange }: FieldProps) => {
  const [typed, setTyped] = useTyped(value)
  return (
    <TextInput
      type="date"
      label={label}
      value={typed}
      onChange={({ currentTarget: { value: day } }) => {
        setTyped(day)
        if (day === '' || day >= FIRST_DAY) onChange(day)
      }}
    />
  )
}

/** A text that filters once it is complete: on Enter or Escape, or when the field is left. */
export const WholeText = ({ label, value, onChange, example }: FieldProps & { example: string }) => {
  const [typed, setTyped] = useTyped(value)
  const fault = tooLong(label, typed, SEARCH_MAX)
  const complete = () => !fault && typed.trim() !== value && onChange(typed.trim())
  return (
    <TextInput
      label={label}
      placeholder={example}
      error={fault}
      autoComplete="off"
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={complete}
      onKeyDown={(event) => (event.key === 'Enter' || event.key === 'Escape') && complete()}
    />
  )
}
