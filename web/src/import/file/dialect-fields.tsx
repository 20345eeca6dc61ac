import '@mantine/core/styles/Checkbox.css'
import '#web/ui/touch-targets.css'
import '@mantine/core/styles/InlineInput.css'
import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { type Dialect, importEncodings, importSeparators } from '#contract/import-file.ts'
import { encodingLabels, formatLabels, separatorLabels } from '#web/import/words.ts'

type DialectFieldsProps = { value: Dialect; onChange: (value: Dialect) => void }

/** The options for reading a file. */
export function DialectFields({ value, onChange }: DialectFieldsProps) {
  if (value.format === 'jsonl') return <Text size="sm">Format: JSON Lines, as this product exports them</Text>
  return (
    <>
      <Text size="sm">Format: {formatLabels[value.format]}</Text>
      {value.format === 'csv' ? (
        <>
          <NativeSelect
            label="Separator"
            value={value.separator}
            data={importSeparators.map((separator) => ({ value: separator, label: separatorLabels[separator] }))}
            onChange={({ target }) => onChange({ ...value, separator: target.value as typeof value.separator })}
          />
          <NativeSelect
            label="Encoding"
            description="Change it if letters with accents look wrong."
            value={value.encoding}
            data={importEncodings.map((encoding) => ({ value: encoding, label: encodingLabels[encoding] }))}
            onChange={({ target }) => onChange({ ...value, encoding: target.value as typeof value.encoding })}
          />
        </>
      ) : (
        <>
          <NativeSelect
            label="Sheet"
            value={value.sheet}
            data={value.sheets}
            onChange={({ target }) => onChange({ ...value, sheet: target.value, headerRow: 1, encoding: undefined })}
          />
          {value.encoding && (
            <NativeSelect
              label="Encoding"
              value={value.encoding}
              data={(['utf-8', 'utf-8-twice'] as const).map((encoding) => ({
                value: encoding,
                label: encodingLabels[encoding],
              }))}
              onChange={({ target }) => onChange({ ...value, encoding: target.value as typeof value.encoding })}
            />
          )}
        </>
      )}
      <Checkbox
        label="The first row is data"
        description="Columns are then Column 1, Column 2, and so on."
        checked={value.headerRow === 0}
        onChange={({ target }) => onChange({ ...value, headerRow: target.checked ? 0 : 1 })}
      />
      {value.headerRow > 0 && (
        <HeaderRow
          // A number that the server has changed starts again.
          key={value.headerRow}
          value={value.headerRow}
          onChange={(headerRow) => onChange({ ...value, headerRow })}
        />
      )}
    </>
  )
}

type HeaderRowProps = { value: number; onChange: (value: number) => void }

/** Sent when the field is left or Enter is pressed, not at every digit. */
function HeaderRow({ value, onChange }: HeaderRowProps) {
  const [typed, setTyped] = useState(String(value))
  const [isWrong, setWrong] = useState(false)
  const commit = () => {
    const row = Math.trunc(Number(typed))
    if (row >= 1 && row !== value) onChange(row)
    else setWrong(row !== value)
  }
  return (
    <TextInput
      type="number"
      inputMode="numeric"
      min={1}
      label="Row of the column names"
      description="Rows above it are left out."
      value={typed}
      error={isWrong && 'Enter the number of a row, from 1'}
      onChange={({ target }) => {
        setTyped(target.value)
        setWrong(false)
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || typed === String(value)) return
        event.preventDefault()
        commit()
      }}
    />
  )
}
