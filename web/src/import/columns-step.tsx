import { NativeSelect, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type ImportField, importFieldsOf, type Mapping } from '#contract/import.ts'
import { changeImport } from './api.ts'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './steps.tsx'
import { fieldLabels } from './words.ts'

type OneColumn = Exclude<ImportField, 'name'>

const NONE = { value: '', label: 'Not in the file' }

/** The third step: mapping columns to fields. */
export function ColumnsStep({ import: shown, goTo }: StepProps) {
  const [mapping, setMapping] = useState<Mapping>(shown.mapping)
  const change = useMutation(changeImport(shown))
  const isChanged = JSON.stringify(mapping) !== JSON.stringify(shown.mapping)
  const columns = shown.columns.map((label, at) => ({ value: String(at), label }))
  const [first, last] = [mapping.name].flat()

  const setName = (first: string, last: string) => {
    const { name: _, ...others } = mapping
    if (first === '') setMapping(others)
    else setMapping({ ...others, name: last === '' ? Number(first) : [Number(first), Number(last)] })
  }
  const setColumn = (field: OneColumn, column: string) => {
    const { [field]: _, ...others } = mapping
    setMapping(column === '' ? others : { ...others, [field]: Number(column) })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isChanged) change.mutate({ mapping }, { onSuccess: () => goTo('preview') })
    else goTo('preview')
  }

  return (
    <StepForm
      submit={submit}
      label="Preview"
      isBusy={change.isPending || (isChanged && shown.state === 'reading')}
      back={() => goTo('kind')}
      error={change.error}
    >
      <NativeSelect
        label={shown.kind === 'founder' ? 'Name, or first name' : 'Name'}
        withAsterisk
        value={String(first ?? '')}
        data={[{ value: '', label: 'Choose a column' }, ...columns]}
        onChange={({ target }) => setName(target.value, String(last ?? ''))}
      />
      {shown.kind === 'founder' && first !== undefined && (
        <NativeSelect
          label="Last name"
          value={String(last ?? '')}
          data={[{ value: '', label: 'In the same column' }, ...columns]}
          onChange={({ target }) => setName(String(first), target.value)}
        />
      )}
      {importFieldsOf[shown.kind].filter(isOneColumn).map((field) => (
        <NativeSelect
          key={field}
          label={fieldLabels[field]}
          description={
            field === 'createdBy' || field === 'createdAt' ? 'Used only when a manager imports the file.' : undefined
          }
          value={String(mapping[field] ?? '')}
          data={[NONE, ...columns]}
          onChange={({ target }) => setColumn(field, target.value)}
        />
      ))}
      <Text size="sm" c="dimmed">
        Other columns of the file are left out.
      </Text>
    </StepForm>
  )
}

const isOneColumn = (field: ImportField): field is OneColumn => field !== 'name'
