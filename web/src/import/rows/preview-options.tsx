import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { Radio } from '@mantine/core'
import type { Import, ImportDuplicates, ImportPatch } from '#contract/import.ts'
import type { ImportKindName } from '#contract/import-kinds.ts'
import classes from '#web/import/import.module.css'

type Choice<Value> = { value: Value; label: string; description: string }

const duplicates: Choice<ImportDuplicates>[] = [
  {
    value: 'skip',
    label: 'Skip them',
    description: 'Existing records do not change. Rows with more values are marked.',
  },
  { value: 'fill', label: 'Fill empty fields', description: 'Existing values stay. Only empty fields are filled.' },
  { value: 'update', label: 'Update them', description: 'The values in the file replace existing ones.' },
]

const cells: Choice<Import['cells']>[] = [
  {
    value: 'leave-out',
    label: 'Leave them out',
    description: 'The row is imported and marked. Their text goes to the notes.',
  },
  { value: 'refuse', label: 'Refuse the row', description: 'You can correct refused rows and import them again.' },
]

/** A note without a date has the time of its import. */
const noteCells: typeof cells = cells.map((choice) =>
  choice.value === 'refuse'
    ? choice
    : { ...choice, description: 'The row is imported and marked. Without a date, a note gets the time of the import.' },
)

type PreviewOptionsProps = {
  kind: ImportKindName
  options: Pick<Import, 'duplicates' | 'cells'>
  onChange: (patch: ImportPatch) => void
}

/** What happens to rows that match a record, and to values that cannot be read. */
export const PreviewOptions = ({ kind, options, onChange }: PreviewOptionsProps) => (
  <div className={classes.halves}>
    {kind !== 'note' && (
      <Choices
        label="Rows that match a record you may edit"
        choices={duplicates}
        value={options.duplicates}
        onChange={(duplicates) => onChange({ duplicates })}
      />
    )}
    <Choices
      label={
        kind === 'note' ? 'Dates and kinds that cannot be read' : 'Ratings, dates and addresses that cannot be read'
      }
      choices={kind === 'note' ? noteCells : cells}
      value={options.cells}
      onChange={(cells) => onChange({ cells })}
    />
  </div>
)

type ChoicesProps<Value> = {
  label: string
  choices: Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
}

const Choices = <Value extends string>({ label, choices, value, onChange }: ChoicesProps<Value>) => (
  <Radio.Group label={label} value={value} onChange={(chosen) => onChange(chosen as Value)}>
    {choices.map((choice) => (
      <Radio key={choice.value} {...choice} iconColor="var(--on-filled)" mt="xs" />
    ))}
  </Radio.Group>
)
