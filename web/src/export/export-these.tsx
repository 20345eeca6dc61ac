import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { ExportFormat } from '#contract/export.ts'
import type { Kind } from '#contract/kinds.ts'
import type { RecordQuery } from '#web/records/cache/record-query.ts'
import { useCommand } from '#web/ui/keys/commands.ts'
import { saveExport } from './api.ts'
import classes from './export-these.module.css'

const formats: { format: ExportFormat; label: string }[] = [
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON Lines' },
]

/** Exports the records of a list. A refusal appears with the server's sentence. */
export function ExportThese({ kind, query }: { kind: Kind; query: RecordQuery }) {
  const { mutate, isPending } = useMutation(saveExport)
  const save = (format: ExportFormat) => !isPending && mutate({ kind, format, query })
  useCommand('Export these as CSV', () => save('csv'))
  useCommand('Export these as JSON Lines', () => save('jsonl'))
  return (
    <fieldset className={classes.root}>
      <legend className={classes.legend}>Export these</legend>
      {formats.map(({ format, label }) => (
        <Button key={format} variant="default" size="xs" aria-disabled={isPending} onClick={() => save(format)}>
          {label}
        </Button>
      ))}
    </fieldset>
  )
}
