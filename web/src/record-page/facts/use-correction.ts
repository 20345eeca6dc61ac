import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Field } from '#contract/fields.ts'
import type { Overrule } from '#contract/overrule.ts'
import { useRecordLink } from '#web/filled/use-link.ts'
import { historyKey } from '#web/history/api.ts'
import { type DraftPlace, type DraftSubject, drafts } from '#web/lib/drafts.ts'
import { ApiError } from '#web/lib/http.ts'
import { conflictOf } from '#web/my-records/use-record-changes.ts'
import { type Correction, correctRecord } from '#web/record-page/api.ts'
import { getRecord } from '#web/records/api.ts'
import { changeInLists } from '#web/records/cache/list-cache.ts'
import { notKept } from '#web/records/form/overrule.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { toasts } from '#web/ui/states/toasts.tsx'
import { isCorrectable } from './fields.ts'

/** Saves corrected texts of a record. `conflict` is what another fellow has saved in the meantime. */
export function useSaving(kind: RecordKind, id: string, onSaved: () => void) {
  const [conflict, setConflict] = useState<RecordRow>()
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (correction: Correction) => correctRecord(kind, id, correction),
    onSuccess: (saved, _correction, _nothing, { client }) => {
      changeInLists(client, kind, saved.id, saved)
      client.setQueryData(getRecord(kind, saved.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: historyKey(saved.id) })
      setConflict(undefined)
      onSaved()
      toasts.success(`${kind.label} updated successfully`)
    },
    onError: (failure, { texts }, _nothing, { client }) => {
      const current = conflictOf(failure)
      setConflict(current)
      if (current) {
        changeInLists(client, kind, id, current)
        client.setQueryData(getRecord(kind, id).queryKey, current)
      } else if (!isAtField(failure, texts) && !notKept(failure)) toasts.failure(failure, 'Failed to update')
    },
  })
  return {
    conflict,
    isPending,
    /** Why the server refused texts, by field. */
    faults: error instanceof ApiError ? error.fields : {},
    /** Why it refused the address of a person who asked not to be kept. */
    refusal: notKept(error),
    save: mutate,
    /** Once the texts change. */
    forgetFaults: reset,
    endConflict: () => setConflict(undefined),
  }
}

const isAtField = (failure: unknown, texts: object) =>
  failure instanceof ApiError && Object.keys(texts).some((name) => failure.fields[name])

type Draft = { text: string; was: string; version: number }

const readDraft = (place: DraftPlace): Draft | undefined => {
  const { text, was, version } = (drafts.read(place) ?? {}) as Partial<Draft>
  return typeof text === 'string' && typeof was === 'string' && typeof version === 'number'
    ? { text, was, version }
    : undefined
}

/**
 * The correction of one field of a record, which survives as a draft until it is saved or cancelled. A link may fill it in: it is
 * a draft once the person changes it.
 */
export function useCorrection(kind: RecordKind, record: RecordRow, field: Field, account: string) {
  const place: DraftPlace = { account, form: `correct ${record.id} ${field.name}` }
  const link = useRecordLink(kind, record.id)
  const now = valueIn(record, field)
  const given = record.can.edit && isCorrectable(field) ? link.values[field.name] : undefined
  const linked = given === undefined || given === now ? undefined : { text: given, was: now, version: record.version }
  const [typed, setTyped] = useState(() => readDraft(place))
  const isOfLink = typed ? drafts.isOfLink(place) : linked !== undefined
  const draft = typed ?? linked

  const end = () => {
    drafts.discard(place)
    setTyped(undefined)
    link.drop(field.name)
  }
  const takeLinked = () => {
    drafts.discard(place)
    setTyped(undefined)
  }
  const saving = useSaving(kind, record.id, end)
  const { conflict, isPending, faults, refusal } = saving
  const send = ({ text, was, version }: Draft, overrule?: Overrule) =>
    saving.save({ texts: { [field.name]: text }, was: { [field.name]: was }, version, overrule })

  return {
    draft,
    /** Whether a link has filled it in. */
    isOfLink,
    /** Replaces what was typed before by the value of a link. */
    takeLinked: typed && linked && !isOfLink && typed.text !== linked.text ? takeLinked : undefined,
    conflict,
    isPending,
    fault: faults[field.name],
    refusal,
    begin: () => {
      setTyped({ text: now, was: now, version: record.version })
    },
    change: (text: string) => {
      if (!draft) return
      saving.forgetFaults()
      setTyped({ ...draft, text })
      const { id, name } = record
      const about: DraftSubject = { what: 'change', kind: kind.name, id, name, isOfLink: isOfLink || undefined }
      drafts.keep(place, { ...draft, text }, about)
      if (isOfLink) link.drop(field.name)
    },
    save: () => {
      if (!draft || isPending) return
      if (draft.text.trim() === draft.was && !conflict) end()
      else send(conflict ? { ...draft, was: valueIn(conflict, field), version: conflict.version } : draft)
    },
    saveAnyway: (overrule: Overrule) => {
      if (draft && !isPending) send(draft, overrule)
    },
    end: () => {
      saving.forgetFaults()
      saving.endConflict()
      end()
    },
  }
}
