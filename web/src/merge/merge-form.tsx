import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { fieldOf } from '#contract/fields.ts'
import { useUndoMerge } from '#web/history/use-undo-merge.ts'
import { formatShortDay } from '#web/lib/dates.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { paths } from '#web/paths.ts'
import { CardSkeletons } from '#web/records/card/card-skeleton.tsx'
import { OriginalNotes } from '#web/records/card/original-notes.tsx'
import { RecordCard } from '#web/records/card/record-card.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import { useOwner } from '#web/session/use-current-user.ts'
import { SubmitButton } from '#web/ui/buttons/submit-button.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { useLoadingState } from '#web/ui/states/use-loading-state.ts'
import { conflictOf, mergeRecords, previewMerge } from './api.ts'
import { ChoiceField, FixedField } from './choice-field.tsx'
import { type Both, type Choices, differencesIn, mergeInput, type Side } from './choices.ts'
import { DroppedValues } from './dropped-values.tsx'
import classes from './merge-form.module.css'
import { Sides, SurvivorField } from './survivor-field.tsx'

/** Both records side by side, with the choices and the merged record, as the server previews it. */
export function MergeForm({ kind, both }: { kind: RecordKind; both: Both }) {
  const navigate = useNavigate()
  const goBack = useGoBack(paths.duplicates)
  const account = useOwner()
  const [survivor, setSurvivor] = useState<Side>('first')
  const [chosen, setChosen] = useState<Choices>({})
  const place = { account, form: `merge of ${both.first.id} ${both.second.id}` }
  const undo = useUndoMerge(kind)
  const options = mergeRecords(kind)
  const merge = useMutation({
    ...options,
    // Not in `mutate`: there it would not run once the live stream has replaced this form, because both are one now.
    onSuccess: (...answer) => {
      const [{ mergeId, record }] = answer
      idempotencyKeys.delete(place)
      toasts.withActions(
        `Merged into ${record.name}`,
        { label: 'Undo', onAct: () => undo.mutate(mergeId) },
        { label: 'Recent changes', onAct: () => navigate(paths.changes) },
      )
      goBack()
      return options.onSuccess?.(...answer)
    },
  })

  const preview = useQuery({
    ...previewMerge(kind, both, mergeInput(both, survivor, chosen)),
    // The records change before the merge has returned, and there is nothing to preview then.
    enabled: !merge.isPending && !merge.isSuccess,
  })
  const { data, error } = preview
  const isLoading = useLoadingState(data === undefined && error === null)

  if (isLoading) return <CardSkeletons label="Loading both records" isSquare={kind.isSquare} />
  if (!data) return <ErrorState title="The result could not be loaded" error={error} retry={preview.refetch} />

  const { canChoose, notesFit, record: result } = data
  const differences = differencesIn(data, both)
  const mayMerge = canChoose || notesFit
  const choices: Choices = Object.fromEntries(
    differences.map(({ field, proposed }) => [field, chosen[field] ?? proposed]),
  )
  // A change of a record may have ended a difference.
  const isOutdated = Object.keys(chosen).some((field) => !(field in choices))
  if (isOutdated && !preview.isPlaceholderData) setChosen(onlyOf(Object.keys(choices), chosen))

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const input = mergeInput(both, survivor, canChoose ? choices : {})
    merge.mutate(
      { input, key: idempotencyKeys.of(place) },
      {
        onError: (failure) => {
          if (!conflictOf(failure)) toasts.failure(failure, 'Failed to merge')
        },
      },
    )
  }

  return (
    <form className="stack-12" aria-label={`Merge ${kind.path}`} onSubmit={submit}>
      {canChoose ? (
        <Paper withBorder className="form">
          <SurvivorField kind={kind} both={both} value={survivor} onChange={setSurvivor} />
          {differences.map(({ field: key, ...values }) => {
            const field = fieldOf(kind.fields, key)
            return (
              field && (
                <ChoiceField
                  key={key}
                  field={field}
                  values={values}
                  kind={kind}
                  both={both}
                  hasBoth={field.name === 'notes' && notesFit}
                  value={choices[key] ?? values.proposed}
                  onChange={(value) => setChosen({ ...chosen, [key]: value })}
                />
              )
            )
          })}
        </Paper>
      ) : (
        <Paper withBorder className="form">
          <Sides kind={kind} both={both} />
          <Text size="sm" maw="70ch" mb="sm">
            The record of {formatShortDay(both.first.createdAt)} stays; gaps are filled from the other. Only a fellow
            who found or noted both can choose.
          </Text>
          {differences.map(({ field: key, proposed, ...values }) => {
            const field = fieldOf(kind.fields, key)
            return field && <FixedField key={key} {...{ field, values, kind, both }} kept={proposed} />
          })}
        </Paper>
      )}
      <Title order={2} size="h3">
        The result
      </Title>
      <RecordCard
        kind={kind}
        record={result}
        search=""
        slots={{ buttons: null, notes: <OriginalNotes record={result} search="" lines={6} /> }}
      />
      <Text size="sm" c="dimmed">
        Fellow notes and finders of both are kept. The merge can be undone.
      </Text>
      {data.dropped && (
        <Text size="sm" maw="70ch">
          <DroppedValues record={both.first.id === result.id ? both.second : both.first} values={data.dropped} />
        </Text>
      )}
      {conflictOf(merge.error) && (
        <div role="alert" className={classes.conflict}>
          Someone changed one of these records while you were choosing. Your choices are kept. Check the result, then
          merge again.
        </div>
      )}
      <Group justify="flex-end" gap="xs">
        {!mayMerge && (
          <Text size="sm" c="dimmed" maw="70ch">
            The notes of both are too long together. A fellow who found or noted both, or a manager, can merge them.
          </Text>
        )}
        <Button variant="default" onClick={goBack} disabled={merge.isPending}>
          Cancel
        </Button>
        {mayMerge && <SubmitButton busy={merge.isPending} label="Merge" busyLabel="Merging…" />}
      </Group>
    </form>
  )
}

const onlyOf = (fields: string[], choices: Choices): Choices =>
  Object.fromEntries(Object.entries(choices).filter(([field]) => fields.includes(field)))
