import { NativeSelect, Paper, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { ExportFormat } from '#contract/export.ts'
import { kinds } from '#web/kinds.ts'
import { allRecords, myRecords } from '#web/records/cache/record-query.ts'
import { getRights } from '#web/session/api.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { saveExport } from './api.ts'
import classes from './export-section.module.css'

const formats = [
  { value: 'csv', label: 'CSV, for spreadsheets' },
  { value: 'jsonl', label: 'JSON Lines, with fellow notes and finders' },
]

/** Every export: each kind, with only My Records or all records. */
const everyChoice = kinds.flatMap((kind) => [
  { value: `my ${kind.path}`, label: `My ${kind.path}`, kind, query: myRecords },
  { value: `all ${kind.path}`, label: `All ${kind.path}`, kind, query: allRecords },
])

/** Downloads of records as files. */
export function ExportSection() {
  const mayExportAll = useQuery(getRights).data?.exportAll.allowed ?? false
  const choices = everyChoice.filter(({ query }) => query === myRecords || mayExportAll)
  const [chosen, setChosen] = useState(choices[0]?.value)
  const [format, setFormat] = useState<ExportFormat>('csv')
  const { mutate, isPending } = useMutation(saveExport)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const choice = choices.find(({ value }) => value === chosen)
    if (choice) mutate({ ...choice, format })
  }

  return (
    <section aria-labelledby="export">
      <Title order={2} size="h4" id="export" mb="xs">
        Export
      </Title>
      <Paper withBorder component="form" className={classes.form ?? ''} onSubmit={submit}>
        <NativeSelect
          label="Records"
          data={choices.map(({ value, label }) => ({ value, label }))}
          value={chosen ?? ''}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        />
        <NativeSelect
          label="Format"
          data={formats}
          value={format}
          onChange={({ currentTarget }) => setFormat(currentTarget.value as ExportFormat)}
        />
        <SubmitButton variant="default" busy={isPending} label="Export" busyLabel="Exporting…" />
        <Text size="sm" c="dimmed" className={classes.hint ?? ''}>
          You can import both formats again.
        </Text>
      </Paper>
    </section>
  )
}
