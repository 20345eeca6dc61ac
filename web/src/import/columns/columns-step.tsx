import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import '@mantine/core/styles/Switch.css'
import { NativeSelect, Radio, Switch, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, memo, useCallback, useRef, useState } from 'react'
import { creationFields } from '#contract/fields.ts'
import type { Import, ImportPatch } from '#contract/import.ts'
import { type ImportKindName, importKindNamed } from '#contract/import-kinds.ts'
import { changeImport } from '#web/import/api.ts'
import classes from '#web/import/import.module.css'
import { ImportProgress } from '#web/import/progress.tsx'
import { StepForm } from '#web/import/step-form.tsx'
import type { StepProps } from '#web/import/steps.tsx'
import { type Fill, fillChoices, fillsOf, lackOf, mappingOf, type Rest, restsOf, withFill } from './column-mapping.ts'
import { bothReadings } from './dates.ts'
import { MatchValues } from './match-values.tsx'
import { hasUnmatched, type Matches, matchesOf } from './matches.ts'
import { Values } from './sample.tsx'

/** The third step: what becomes of each column. */
export function ColumnsStep(props: StepProps) {
  // A file that is read in another way has other columns.
  return <Columns key={JSON.stringify([props.import.kind, props.import.columns])} {...props} />
}

function Columns({ import: shown, goTo }: StepProps) {
  const change = useMutation(changeImport(shown))
  /** `moved` names what the last choice has taken a field from, for the eye and for screen readers. */
  const [{ fills, moved }, setChosen] = useState(() => ({ fills: fillsOf(shown), moved: '' }))
  const [rests, setRests] = useState(shown.rest)
  const [dates, setDates] = useState(shown.dates)
  const [matches, setMatches] = useState<Matches>(() => matchesOf(shown))
  const [lack, setLack] = useState<string>()
  const table = useRef<HTMLTableElement>(null)

  const patch: ImportPatch = {
    mapping: mappingOf(shown.kind, fills),
    rest: restsOf(fills, rests),
    ...(dates !== null && { dates }),
    ...(hasUnmatched(shown) && matches),
  }
  const isChanged = JSON.stringify(patch) !== JSON.stringify(savedPatch(shown))

  const { columns } = shown
  const choose = useCallback(
    (at: number, fill: Fill) => {
      setChosen(({ fills: before }) => {
        const fills = withFill(before, at, fill)
        const ousted = columns.filter((_, index) => index !== at && before[index] !== fills[index])
        const names = ousted.map((name) => `“${name}”`).join(' and ')
        return { fills, moved: names && `${names} no longer ${ousted.length === 1 ? 'fills' : 'fill'} a field.` }
      })
      setLack(undefined)
    },
    [columns],
  )
  const keep = useCallback((at: number, rest: Rest) => setRests((before) => ({ ...before, [at]: rest })), [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const missing = lackOf(shown.kind, mappingOf(shown.kind, fills))
    if (missing !== undefined) {
      setLack(missing)
      table.current?.querySelector('select')?.focus()
    } else if (isChanged) change.mutate(patch, { onSuccess: () => goTo('preview') })
    else goTo('preview')
  }

  return (
    <StepForm
      submit={submit}
      label="Preview"
      isBusy={change.isPending || (isChanged && shown.state === 'reading')}
      back={() => goTo('kind')}
      error={change.error}
      problem={lack}
    >
      {shown.doubts.mapping && (
        <Text size="sm" className={classes.doubt ?? ''}>
          We are not sure about every column. Check what each one fills.
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard */}
      <section className={classes.columns} aria-label="Columns of the file" tabIndex={0}>
        <table className={`${classes.table} ${classes.columnTable}`} ref={table}>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">First values</th>
              <th scope="col">Fills</th>
            </tr>
          </thead>
          <tbody>
            {columns.map((name, at) => (
              <ColumnRow
                // biome-ignore lint/suspicious/noArrayIndexKey: names of columns can repeat
                key={at}
                kind={shown.kind}
                at={at}
                name={name}
                samples={shown.samples[at]}
                fill={fills[at] ?? ''}
                rest={rests[at] ?? 'notes'}
                onFill={choose}
                onRest={keep}
              />
            ))}
          </tbody>
        </table>
      </section>
      <Text size="sm" c="dimmed" role="status" className={classes.alert ?? ''}>
        {moved}
      </Text>
      <DatesQuestion example={shown.doubts.dates} value={dates} onChange={setDates} />
      {hasUnmatched(shown) && <MatchValues import={shown} matches={matches} onChange={setMatches} />}
      {shown.state === 'reading' && <ImportProgress import={shown} />}
    </StepForm>
  )
}

/** What the server has, in the shape of what this step sends. */
const savedPatch = (shown: StepProps['import']): ImportPatch => {
  const fills = fillsOf(shown)
  return {
    mapping: mappingOf(shown.kind, fills),
    rest: restsOf(fills, shown.rest),
    ...(shown.dates !== null && { dates: shown.dates }),
    ...(hasUnmatched(shown) && matchesOf(shown)),
  }
}

type DatesQuestionProps = {
  example: string | undefined
  value: Import['dates']
  onChange: (value: NonNullable<Import['dates']>) => void
}

/** Asked once for all dates of a file that can be read in two ways. */
function DatesQuestion({ example, value, onChange }: DatesQuestionProps) {
  if (example === undefined && value === null) return null
  const readings = bothReadings(example ?? '')
  return (
    <Radio.Group
      label={example === undefined ? 'How are dates written?' : `How are dates such as ${example} written?`}
      description="Dates stay out until you choose."
      value={value ?? ''}
      onChange={(chosen) => onChange(chosen as NonNullable<Import['dates']>)}
    >
      <Radio
        value="day-first"
        label={withReading('Day first', readings?.dayFirst)}
        iconColor="var(--on-filled)"
        mt="xs"
      />
      <Radio
        value="month-first"
        label={withReading('Month first', readings?.monthFirst)}
        iconColor="var(--on-filled)"
        mt="xs"
      />
    </Radio.Group>
  )
}

const withReading = (words: string, reading: string | undefined) => (reading ? `${words}: ${reading}` : words)

type ColumnRowProps = {
  kind: ImportKindName
  at: number
  name: string
  samples: string[] | undefined
  fill: Fill
  rest: Rest
  onFill: (at: number, fill: Fill) => void
  onRest: (at: number, rest: Rest) => void
}

/** A column of the file: its header, its first values, and what it fills. Memoized, because there may be 200. */
const ColumnRow = memo(({ kind, at, name, samples = [], fill, rest, onFill, onRest }: ColumnRowProps) => (
  <tr>
    <th scope="row">
      <bdi className={classes.columnName}>{name}</bdi>
    </th>
    <td>
      <Values values={samples} />
    </td>
    <td className={classes.fill}>
      <NativeSelect
        aria-label={`Field for ${name}`}
        value={fill}
        data={fillChoices(kind)}
        onChange={({ currentTarget }) => onFill(at, currentTarget.value as Fill)}
      />
      {fill === '' && importKindNamed(kind).keepsUnmapped && (
        <Switch
          label="Keep in notes"
          aria-label={`Keep in notes: ${name}`}
          checked={rest === 'notes'}
          onChange={({ currentTarget }) => onRest(at, currentTarget.checked ? 'notes' : 'drop')}
        />
      )}
      {creationFields.some(({ name }) => name === fill) && (
        <Text size="xs" c="dimmed">
          Counts when a manager uploads the file.
        </Text>
      )}
    </td>
  </tr>
))
