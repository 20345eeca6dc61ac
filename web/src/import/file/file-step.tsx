import '@mantine/core/styles/Progress.css'
import { Button, FileButton, Paper, Progress, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { IMPORT_BYTES_MAX } from '#contract/import.ts'
import { uploadFile } from '#web/import/api.ts'
import classes from '#web/import/import.module.css'
import { drafts } from '#web/lib/drafts.ts'
import { sentenceOf } from '#web/lib/http.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { focusWhenLost } from '#web/ui/focus.ts'
import { PasteRows, pastedRows } from './paste-rows.tsx'

const TYPES = '.csv,.tsv,.txt,.xlsx,.jsonl,.ndjson,.json'

/** The first step: choosing or dropping a file, or pasting rows. They are uploaded immediately. */
export function FileStep({ onUploaded }: { onUploaded: (id: string) => void }) {
  const place = pastedRows(useOwner())
  const [pasted, setPasted] = useState(() => textOf(drafts.read(place)))
  /** Clears the input, because browsers fire no event when the same file is chosen again, as after a failure. */
  const forget = useRef<() => void>(null)
  const lastPasted = useRef<{ text: string; file: File }>(null)
  const [isOver, setIsOver] = useState(false)
  const [wasCancelled, setWasCancelled] = useState(false)
  const upload = useUpload({
    onUploaded: (id, file) => {
      if (file.name === PASTED_NAME) drafts.discard(place)
      onUploaded(id)
    },
    onCancelled: () => setWasCancelled(true),
  })
  const isPasting = pasted !== undefined

  /** The same file for the same text, so that sending it again after a lost response stores it once. */
  const fileOf = (text: string) => {
    if (lastPasted.current?.text !== text) lastPasted.current = { text, file: new File([text], PASTED_NAME) }
    return lastPasted.current.file
  }
  const send = (file: File | null | undefined) => {
    forget.current?.()
    upload.send(file)
  }
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setIsOver(is)
  }

  // Rows in the clipboard can be pasted without opening the box first.
  useEffect(() => {
    if (isPasting) return
    const onPaste = ({ target, clipboardData }: ClipboardEvent) => {
      const text = clipboardData?.getData('text/plain') ?? ''
      const isTyping = target instanceof HTMLElement && target.closest('input, textarea, [contenteditable]')
      if (text.includes('\t') && !isTyping) setPasted(text)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [isPasting])

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
      {upload.isPending ? (
        <UploadProgress name={upload.file?.name ?? ''} share={upload.share} onCancel={upload.cancel} />
      ) : isPasting ? (
        <PasteRows
          initial={pasted}
          place={place}
          onDone={(text) => send(fileOf(text))}
          onClose={() => setPasted(undefined)}
        />
      ) : (
        <>
          <div className={classes.ways} ref={wasCancelled ? focusWhenLost : null} tabIndex={-1}>
            <FileButton
              resetRef={forget}
              onChange={send}
              accept={TYPES}
              inputProps={{ 'aria-label': 'File to import' }}
            >
              {(props) => <Button {...props}>Choose a file</Button>}
            </FileButton>
            <Button variant="default" onClick={() => setPasted('')}>
              Paste rows
            </Button>
          </div>
          <Text size="sm" c="dimmed">
            CSV, Excel (XLSX) or JSON Lines, up to 50 MB and 200,000 rows. Or drop it here.
          </Text>
          <Text size="sm" c="dimmed">
            Exports from LinkedIn, Affinity, Attio, Folk, HubSpot, Airtable and Notion are recognized. You see a preview
            before anything is added.
          </Text>
        </>
      )}
      <div role="alert" className={classes.alert}>
        {upload.problem && <Text c="var(--mantine-color-error)">{upload.problem}</Text>}
      </div>
    </Paper>
  )
}

const PASTED_NAME = 'pasted.tsv'

const textOf = (kept: unknown) => (typeof kept === 'string' && kept !== '' ? kept : undefined)

type UploadProgressProps = { name: string; share: number; onCancel: () => void }

/** The progress of an upload. Once the file has arrived, the server looks at it. */
const UploadProgress = ({ name, share, onCancel }: UploadProgressProps) => (
  <div className={classes.upload}>
    <Text role="status" tabIndex={-1} ref={focusWhenLost}>
      {share < 1 ? 'Uploading' : 'Checking'} <bdi>{name}</bdi>
    </Text>
    <Progress value={100 * share} aria-label="Upload" animated={share >= 1} w="100%" />
    <Text size="sm" c="dimmed">
      {Math.floor(100 * share)} %
    </Text>
    <Button variant="default" onClick={onCancel}>
      Cancel
    </Button>
  </div>
)

type UploadOptions = { onUploaded: (id: string, file: File) => void; onCancelled: () => void }

/** Uploads a file, one at a time. */
function useUpload({ onUploaded, onCancelled }: UploadOptions) {
  const upload = useMutation(uploadFile(useOwner()))
  const [share, setShare] = useState(0)
  const [tooLarge, setTooLarge] = useState(false)
  const running = useRef<AbortController>(null)

  const send = (file: File | null | undefined) => {
    if (!file || upload.isPending) return
    setTooLarge(file.size > IMPORT_BYTES_MAX)
    upload.reset()
    if (file.size > IMPORT_BYTES_MAX) return
    setShare(0)
    const controller = new AbortController()
    running.current = controller
    upload.mutate(
      { file, signal: controller.signal, onProgress: setShare },
      { onSuccess: ({ id }) => onUploaded(id, file) },
    )
  }

  const cancel = () => {
    running.current?.abort()
    upload.reset()
    onCancelled()
  }

  return {
    send,
    cancel,
    isPending: upload.isPending,
    file: upload.variables?.file,
    share,
    problem: tooLarge
      ? 'This file is larger than 50 MB. Split it.'
      : upload.error && sentenceOf(upload.error, "We couldn't upload this file. Try again."),
  }
}
