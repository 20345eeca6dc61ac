import { FileButton, Paper, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useRef, useState } from 'react'
import { IMPORT_BYTES_MAX } from '#contract/import.ts'
import { useCurrentUser } from '#web/auth/use-current-user.ts'
import { sentenceOf } from '#web/lib/http.ts'
import { LoadingButton } from '#web/ui/loading-button.tsx'
import { uploadFile } from './api.ts'
import classes from './import.module.css'

const TYPES = '.csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,.json'

/** The first step: choosing or dropping a file, which is uploaded immediately. */
export function FileStep({ onUploaded }: { onUploaded: (id: string) => void }) {
  const upload = useMutation(uploadFile(useCurrentUser().email))
  /** Clears the input, because browsers fire no event when the same file is chosen again, as after a failure. */
  const forget = useRef<() => void>(null)
  const [isOver, setIsOver] = useState(false)
  const [tooLarge, setTooLarge] = useState(false)

  const send = (file: File | null | undefined) => {
    forget.current?.()
    if (!file || upload.isPending) return
    setTooLarge(file.size > IMPORT_BYTES_MAX)
    if (file.size > IMPORT_BYTES_MAX) upload.reset()
    else upload.mutate(file, { onSuccess: ({ id }) => onUploaded(id) })
  }
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setIsOver(is)
  }

  return (
    <Paper
      withBorder
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={over(true)}
      onDragLeave={over(false)}
      onDrop={(event) => {
        over(false)(event)
        send(event.dataTransfer.files[0])
      }}
    >
      <FileButton
        resetRef={forget}
        onChange={send}
        accept={TYPES}
        disabled={upload.isPending}
        inputProps={{ 'aria-label': 'File to import' }}
      >
        {(props) => (
          <LoadingButton {...props} loading={upload.isPending}>
            Choose a file
          </LoadingButton>
        )}
      </FileButton>
      <Text size="sm" c="dimmed">
        {upload.isPending
          ? 'Uploading…'
          : 'CSV, Excel (XLSX) or JSON Lines, up to 50 MB and 200,000 rows. Or drop it here.'}
      </Text>
      <Text size="sm" c="dimmed">
        Exports from LinkedIn, Affinity, Attio, folk, HubSpot, Airtable and Notion are recognized. You see a preview
        before anything is added.
      </Text>
      <div role="alert">
        {tooLarge && <Text c="var(--mantine-color-error)">This file is larger than 50 MB. Split it.</Text>}
        {upload.error && (
          <Text c="var(--mantine-color-error)">
            {sentenceOf(upload.error, "We couldn't upload this file. Try again.")}
          </Text>
        )}
      </div>
    </Paper>
  )
}
