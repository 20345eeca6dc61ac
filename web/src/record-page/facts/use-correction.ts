import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Field } from '#contract/fields.ts'
import type { Overrule } from '#contract/overrule.ts'
import { historyKey } from '#web/history/api.ts'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { ApiError } from '#web/lib/http.ts'
import { conflictOf } from '#web/my-records/use-record-changes.ts'
import { correctRecord } from '#web/record-page/api.ts'
import { getRecord } from '#web/records/api.ts'
import { changeInLists } from '#web/records/cache/list-cache.ts'
import { notKept } from '#web/records/form/overrule.tsx'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { toasts } from '#web/ui/states/toasts.tsx'

type Draft = { text: string; was: string; version: number }

const readDraft = (place: DraftPlace): Draft | undefined => {
  const { text, was, version } = (drafts.read(place) ?? {}) as Partial<Draft>
  return typeof text === 'string' && typeof was === 'string' && typeof version === 'number'
    ? { text, was, version }
    : undefined
}

/** The correction of one field of a record, which survives as a draft until it is saved or cancelled. */
export function useCorrection(kind: RecordKind, record: RecordRow, field: Field, account: string) {
  const place: DraftPlace = { account, form: `correct ${record.id} ${field.name}` }
  const [draft, setDraft] = useState(() => readDraft(place))
  const [conflict, setConflict] = useState<RecordRow>()

  const end = () => {
    drafts.discard(place)
    setDraft(undefined)
    setConflict(undefined)
  }
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (draft: Draft & { overrule?: Overrule }) => correctRecord(kind, record.id, { field, ...draft }),
    onSuccess: (saved, _draft, _nothing, { client }) => {
      changeInLists(client, kind, saved.id, saved)
      client.setQueryData(getRecord(kind, saved.id).queryKey, saved)
      void client.invalidateQueries({ queryKey: historyKey(saved.id) })
      end()
      toasts.success(`${kind.label} updated successfully`)
    },
    onError: (failure, _draft, _nothing, { client }) => {
      const current = conflictOf(failure)
      setConflict(current)
      if (current) {
        changeInLists(client, kind, record.id, current)
        client.setQueryData(getRecord(kind, record.id).queryKey, current)
      } else if (faultOf(failure, field) === undefined && !notKept(failure)) toasts.failure(failure, 'Failed to update')
    },
  })

  return {
    draft,
    conflict,
    isPending,
    /** Why the server refused this text. */
    fault: faultOf(error, field),
    /** Why it refused the address of a person who asked not to be kept. */
    refusal: notKept(error),
    begin: () => {
      const was = valueIn(record, field)
      setDraft({ text: was, was, version: record.version })
    },
    change: (text: string) => {
      if (!draft) return
      reset()
      setDraft({ ...draft, text })
      const { id, name } = record
      drafts.keep(place, { ...draft, text }, { what: 'change', kind: kind.name, id, name })
    },
    save: () => {
      if (!draft || isPending) return
      if (draft.text.trim() === draft.was && !conflict) end()
      else mutate(conflict ? { ...draft, was: valueIn(conflict, field), version: conflict.version } : draft)
    },
    saveAnyway: (overrule: Overrule) => {
      if (draft && !isPending) mutate({ ...draft, overrule })
    },
    end: () => {
      reset()
      end()
    },
  }
}

const faultOf = (failure: unknown, { name }: Field) => (failure instanceof ApiError ? failure.fields[name] : undefined)
