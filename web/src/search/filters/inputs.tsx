import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ParameterName } from '#contract/filters.ts'
import { RATING_MAX } from '#contract/limits.ts'
import { listStages } from '#web/pipeline/api.ts'
import { listTags } from '#web/tags/api.ts'
import type { ControlProps } from './control-props.ts'
import classes from './filter-panel.module.css'
import { useTyped } from './use-typed.ts'

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

export const QuietSince = ({ filters: { quietSince = '' }, change }: ControlProps) => (
  <DateField label="No activity since" value={quietSince} onChange={(value) => change({ quietSince: value })} />
)

/** Whether the start of a range is after its end, which then moves along. Empty ends are open. */
const isBeyond = <End extends string | number>(from: End, to: End) => Boolean(from && to) && from > to

export type InputProps = ControlProps & { name: ParameterName; label: string }

type WordProps = InputProps & { any: string; words: Readonly<Record<string, string>> }

/** One of some values, each with its words. */
export const WordSelect = ({ filters, change, name, label, any, words }: WordProps) => (
  <NativeSelect
    label={label}
    data={Object.entries({ '': any, ...words }).map(([value, word]) => ({ value, label: word }))}
    value={filters[name] ?? ''}
    onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
  />
)

export const StageSelect = ({ none, ...props }: InputProps & { none?: string }) => {
  const { data: stages = [] } = useQuery(listStages)
  const names = stages.map(({ id, name, archived }) => [id, archived ? `${name} (archived)` : name])
  const words = { ...(none !== undefined && { none }), ...Object.fromEntries(names) }
  return <WordSelect {...props} any="Any stage" words={words} />
}

export const TagSelect = (props: ControlProps) => {
  const { data: tags = [] } = useQuery(listTags)
  const words = Object.fromEntries(tags.map(({ id, name }) => [id, name]))
  return <WordSelect {...props} name="tag" label="Tag" any="Any tag" words={words} />
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
