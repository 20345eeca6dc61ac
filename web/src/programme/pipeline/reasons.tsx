import { Button, NativeSelect, Paper, TextInput, Title } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useRef } from 'react'
import { PASSING_REASON_MAX, PASSING_REASONS_MAX } from '#contract/limits.ts'
import type { PassingReason } from '#contract/stage.ts'
import { listReasons } from '#web/pipeline/api.ts'
import { lookAgainChoices } from '#web/pipeline/look-again-choices.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { IconButton } from '#web/ui/buttons/icon-button.tsx'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { tooLong } from '#web/ui/too-long.ts'
import { putReasons } from './api.ts'
import classes from './pipeline.module.css'

/** The reasons to choose from before a record is passed. */
export function Reasons() {
  const { data: reasons, error, refetch } = useQuery(listReasons)
  if (!reasons && error) return <ErrorState title="The reasons could not be loaded" error={error} retry={refetch} />
  return (
    <Paper component="section" withBorder className={classes.part} aria-labelledby="reasons">
      <Title order={2} size="h4" id="reasons">
        Reasons for passing
      </Title>
      <p className={classes.meta}>
        At most {PASSING_REASONS_MAX}. At least one stays. A reason that you remove stays with the records that were
        passed for it. Beside each is what the form proposes for <em>Look again</em>.
      </p>
      {reasons && <ReasonsForm current={reasons} />}
    </Paper>
  )
}

type Row = { key: string; id?: string } & Omit<PassingReason, 'id'>

const rowOf = ({ id, ...reason }: PassingReason): Row => ({ key: id, id, ...reason })

function ReasonsForm({ current }: { current: PassingReason[] }) {
  const draft = useDraft<{ rows: Row[]; known: string[] }>('passing reasons', {
    rows: current.map(rowOf),
    known: current.map(({ id }) => id),
  })
  // Reasons that another manager has added meanwhile are added here too.
  const added = current.filter(({ id }) => !draft.values.known.includes(id))
  const rows = [...draft.values.rows, ...added.map(rowOf)]
  const setRows = (rows: Row[]) => draft.change({ rows, known: current.map(({ id }) => id) })
  const setRow = (key: string, change: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const isTooLong = rows.some(({ name }) => tooLong('Reason', name, PASSING_REASON_MAX))
  const form = useRef<HTMLFormElement>(null)
  const { mutate, isPending } = useMutation(putReasons)
  const named = rows.filter(({ name }) => name.trim() !== '')
  const isChanged =
    JSON.stringify(named.map(({ id, name, lookAgain }) => [id, name.trim(), lookAgain])) !==
    JSON.stringify(current.map(({ id, name, lookAgain }) => [id, name, lookAgain]))
  const focusField = (place: number) =>
    requestAnimationFrame(() => form.current?.querySelectorAll('input')[Math.max(0, place)]?.focus())

  const save = (event: FormEvent) => {
    event.preventDefault()
    mutate(
      named.map(({ key: _key, name, ...reason }) => ({ ...reason, name: name.trim() })),
      {
        onSuccess: () => {
          draft.discard()
          toasts.success('Reasons saved')
        },
        onError: (failure) => toasts.failure(failure, 'The reasons could not be saved'),
      },
    )
  }
  return (
    <form ref={form} noValidate className={classes.form} aria-label="Reasons for passing" onSubmit={save}>
      <ol className={classes.list}>
        {rows.map(({ key, name, lookAgain }, place) => (
          <li key={key} className={classes.reason}>
            <TextInput
              aria-label={`Reason ${place + 1}`}
              error={tooLong('Reason', name, PASSING_REASON_MAX)}
              autoComplete="off"
              className={classes.field ?? ''}
              value={name}
              readOnly={isPending}
              onChange={({ currentTarget: { value } }) => setRow(key, { name: value })}
            />
            <NativeSelect
              aria-label={`Look again at records passed for ${name || `reason ${place + 1}`}`}
              data={lookAgainChoices}
              value={String(lookAgain ?? '')}
              disabled={isPending}
              onChange={({ currentTarget: { value } }) =>
                setRow(key, { lookAgain: (Number(value) || null) as PassingReason['lookAgain'] })
              }
            />
            <IconButton
              label={`Remove the reason ${name || place + 1}`}
              tip="Remove"
              icon={<IconTrash size={18} stroke={1.5} />}
              disabled={rows.length === 1}
              onClick={() => {
                setRows(rows.filter((row) => row.key !== key))
                focusField(Math.min(place, rows.length - 2))
              }}
            />
          </li>
        ))}
      </ol>
      <div className={classes.acts}>
        <Button
          variant="default"
          disabled={rows.length >= PASSING_REASONS_MAX || isPending}
          onClick={() => {
            setRows([...rows, { key: `new ${rows.length} ${performance.now()}`, name: '', lookAgain: null }])
            focusField(rows.length)
          }}
        >
          Add a reason
        </Button>
        <SubmitButton
          busy={isPending}
          disabled={!isChanged || named.length === 0 || isTooLong}
          label="Save"
          busyLabel="Saving…"
        />
      </div>
    </form>
  )
}
