import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Switch.css'
import { NativeSelect, Switch, Text } from '@mantine/core'
import { memo } from 'react'
import { creationFields } from '#contract/fields.ts'
import { type ImportKindName, importKindNamed } from '#contract/import-kinds.ts'
import classes from '#web/import/import.module.css'
import { type Fill, fillChoices, type Rest } from './fills.ts'
import { Values } from './sample.tsx'

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
export const ColumnRow = memo(({ kind, at, name, samples = [], fill, rest, onFill, onRest }: ColumnRowProps) => (
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
      {fill === '' && importKindNamed(kind).keepsOthers && (
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
