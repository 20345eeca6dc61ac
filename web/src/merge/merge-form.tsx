import { Button, Group, Paper, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { fieldLabel } from '#web/history/history-words.ts'
import { useUndoMerge } from '#web/history/use-undo-merge.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { useGoBack } from '#web/lib/use-go-back.ts'
import { paths } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { OriginalNotes } from '#web/records/original-notes.tsx'
import { differingFields } from '#web/records/record-values.ts'
import { useCurrentUser } from '#web/session/use-current-user.ts'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { toasts } from '#web/ui/toasts.tsx'
import { conflictOf, mergeRecords } from './api.ts'
import { ChoiceField } from './choice-field.tsx'
import {
  type Both,
  type Choices,
  canChoose,
  choicesOnWire,
  fitTogether,
  mergedRecord,
  otherSide,
  proposedChoices,
  type Side,
} from './choices.ts'
import classes from './merge-form.module.css'
import { Sides, SurvivorField } from './survivor-field.tsx'

/** Both records side by side, with the choices and the merged record. */
export function MergeForm({ kind, both }: { kind: RecordKind; both: Both }) {
  const navigate = useNavigate()
  const goBack = useGoBack(paths.duplicates)
  const { email: account } = useCurrentUser()
  const [survivor, setSurvivor] = useState<Side>('first')
  const [chosen, setChosen] = useState<Choices>({})
  const merge = useMutation(mergeRecords(kind))
  const undo = useUndoMerge(kind)

  const fields = differingFields(both.first, both.second, kind.fieldLabels)
  const isChooser = canChoose(both)
  const mayMerge = isChooser || fitTogether(both)
  const choices: Choices = isChooser
    ? { ...proposedChoices(both, fields), ...onlyOf(fields, chosen) }
    : { notes: mayMerge ? 'both' : 'first' }
  const result = mergedRecord(both, survivor, choices)
  const place = { account, form: `merge of ${both.first.id} ${both.second.id}` }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const duplicate = both[otherSide(survivor)]
    const input = {
      survivorId: both[survivor].id,
      duplicateId: duplicate.id,
      versions: { [both.first.id]: both.first.version, [both.second.id]: both.second.version },
      choices: isChooser ? choicesOnWire(choices, survivor) : {},
    }
    merge.mutate(
      { input, key: idempotencyKeys.of(place) },
      {
        onSuccess: ({ mergeId, record }) => {
          idempotencyKeys.delete(place)
          toasts.withActions(
            `Merged into ${record.name}`,
            { label: 'Undo', onAct: () => undo.mutate(mergeId) },
            { label: 'Recent changes', onAct: () => navigate(paths.changes) },
          )
          goBack()
        },
        onError: (failure) => {
          if (!conflictOf(failure)) toasts.failure(failure, 'Failed to merge')
        },
      },
    )
  }

  return (
    <form className="stack-12" aria-label={`Merge ${kind.path}`} onSubmit={submit}>
      {isChooser ? (
        <Paper withBorder className="form">
          <SurvivorField kind={kind} both={both} value={survivor} onChange={setSurvivor} />
          {fields.map((field) => (
            <ChoiceField
              key={field}
              field={field}
              label={fieldLabel(field, kind.fieldLabels)}
              kind={kind}
              both={both}
              hasBoth={field === 'notes' && fitTogether(both)}
              value={choices[field] ?? 'first'}
              onChange={(value) => setChosen({ ...chosen, [field]: value })}
            />
          ))}
        </Paper>
      ) : (
        <Paper withBorder className="form">
          <Sides kind={kind} both={both} />
          <Text size="sm" maw="70ch">
            The values of <bdi>{both.first.name}</bdi>, which was found first, are kept. Its empty ones are filled from
            the other record, and the notes of both are kept. Only a fellow who found or noted both can choose.
          </Text>
        </Paper>
      )}
      <Title order={2} size="h3">
        The result
      </Title>
      <kind.Card
        record={result}
        search=""
        slots={{ buttons: null, notes: <OriginalNotes record={result} search="" lines={6} /> }}
      />
      <Text size="sm" c="dimmed">
        Fellow notes and finders of both are kept. The merge can be undone.
      </Text>
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
