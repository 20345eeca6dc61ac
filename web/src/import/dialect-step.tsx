import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Radio.css'
import { NativeSelect, Radio, Text, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Dialect, importEncodings, importSeparators } from '#contract/import.ts'
import type { KindName } from '#contract/kinds.ts'
import { kinds } from '#web/kinds.ts'
import { changeImport } from './api.ts'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './steps.tsx'
import { encodingLabels, formatLabels, separatorLabels } from './words.ts'

/** The second step: the kind of the rows and the format of the file. */
export function DialectStep({ import: shown, goTo, close }: StepProps) {
  const [kind, setKind] = useState<KindName>(shown.kind)
  const [dialect, setDialect] = useState(shown.dialect)
  const change = useMutation(changeImport(shown))
  const isOther = JSON.stringify(dialect) !== JSON.stringify(shown.dialect)
  const isChanged = isOther || kind !== shown.kind || shown.state === 'failed'

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const next = { onSuccess: () => goTo('columns') }
    if (isChanged) change.mutate({ kind, ...((isOther || shown.state === 'failed') && { dialect }) }, next)
    else next.onSuccess()
  }

  return (
    <StepForm
      submit={submit}
      label="Continue"
      isBusy={change.isPending || (isChanged && shown.state === 'reading')}
      back={close}
      backLabel="Other file"
      error={change.error}
      problem={change.error ? undefined : shown.error}
    >
      <Radio.Group label="Each row is a" value={kind} onChange={(value) => setKind(value as KindName)}>
        {kinds.map(({ name, label }) => (
          <Radio key={name} value={name} label={label} iconColor="var(--on-filled)" mt="xs" />
        ))}
      </Radio.Group>
      <DialectFields value={dialect} onChange={setDialect} />
      {!isOther && shown.state !== 'failed' && (
        <Text size="sm" c="dimmed">
          Columns: <bdi>{shown.columns.join(' · ')}</bdi>
        </Text>
      )}
    </StepForm>
  )
}

function DialectFields({ value, onChange }: { value: Dialect; onChange: (value: Dialect) => void }) {
  if (value.format === 'jsonl') return <Text size="sm">This is a JSON Lines export.</Text>
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
        <NativeSelect
          label="Sheet"
          value={value.sheet}
          data={value.sheets}
          onChange={({ target }) => onChange({ ...value, sheet: target.value, headerRow: 1 })}
        />
      )}
      <TextInput
        type="number"
        inputMode="numeric"
        min={1}
        label={value.format === 'csv' ? 'Line of the column names' : 'Row of the column names'}
        description="Rows above it are left out."
        value={value.headerRow || ''}
        onChange={({ target }) => onChange({ ...value, headerRow: Math.max(0, Math.trunc(target.valueAsNumber || 0)) })}
      />
    </>
  )
}
