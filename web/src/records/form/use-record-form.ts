import { useEffect, useState } from 'react'
import type { z } from 'zod'
import { useLink } from '#web/filled/use-link.ts'
import { type DraftPlace, type DraftSubject, drafts } from '#web/lib/drafts.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { useOpenForm } from '#web/offline/open-form.ts'
import { addPath } from '#web/paths.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'
import type { FormValues } from './record-form.ts'

/** A place of its own for the values of a form, and what they are about. */
export type RecordFormDraft = { form: string; about: DraftSubject }

type RecordFormOptions = {
  kind: RecordKind
  schema: z.ZodType
  empty: FormValues
  account: string
  /** A form that waits for the network: its draft and its key are its own. */
  waiting?: { id: string; key: string } | undefined
  /** Such a form is filled in by no link. */
  own?: RecordFormDraft | undefined
}

/**
 * The mechanics of an add form. Its values are kept as a draft until they are saved or discarded. A link may fill in an
 * empty form, which is a draft once the person changes it. If there is a draft, its values are only offered.
 */
export const useRecordForm = ({ kind, schema, empty, account, waiting, own }: RecordFormOptions) => {
  useOpenForm()
  const draft: DraftPlace = { account, form: own?.form ?? (waiting ? `${kind.name} ${waiting.id}` : kind.name) }
  const [link, keepLink] = useLink<object>(addPath(kind))
  const filledIn = own ? null : fitting({ ...empty, ...link }, empty)
  const [restored] = useState(() => fitting(drafts.read(draft), empty))
  const [source, setSource] = useState(() => {
    if (restored) return drafts.isOfLink(draft) ? 'link' : 'draft'
    return filledIn ? 'link' : undefined
  })

  const { form, focusFirst, showFieldErrors } = useCheckedForm<FormValues>({
    schema,
    start: restored ?? filledIn ?? empty,
    onValuesChange: (values) => keep(values),
  })

  /** A form that waits has a line of its own already. */
  function keep(values: FormValues) {
    if (!isOther(empty, values) || (filledIn && !isOther(filledIn, values))) return drafts.discard(draft)
    if (own) return drafts.keep(draft, values, own.about)
    const isOfLink = source === 'link' || undefined
    if (isOfLink) keepLink(null)
    if (waiting) drafts.keep(draft, values)
    else drafts.keep(draft, values, { what: 'form', kind: kind.name, name: String(values.name), isOfLink })
  }

  const discardDraft = () => {
    drafts.discard(draft)
    idempotencyKeys.delete(draft)
  }
  const discardLink = () => {
    if (!own) keepLink(null)
  }
  const fillIn = () => {
    if (!filledIn) return
    discardDraft()
    setSource('link')
    form.setValues(filledIn)
    form.clearErrors()
    checkFilledIn()
  }
  const checkFilledIn = () => {
    for (const field of Object.keys(link ?? {})) form.validateField(field)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form is shown
  useEffect(() => {
    if (filledIn && !restored) checkFilledIn()
  }, [])

  return {
    form,
    source,
    isTyped: isOther(filledIn && source === 'link' ? filledIn : empty, form.values),
    focusFirst,
    startOver: () => {
      if (source === 'link') discardLink()
      setSource(undefined)
      form.setValues(empty)
      form.clearErrors()
      discardDraft()
    },
    /** Replaces the draft by the values of a link; undefined if there is nothing to replace. */
    takeLink: isOther(filledIn, form.values) ? fillIn : undefined,
    leave: () => {
      discardDraft()
      discardLink()
    },
    /** The idempotency key of this form, the same until its draft is discarded. */
    key: () => waiting?.key ?? idempotencyKeys.of(draft),
    showFieldErrors,
  }
}

const isOther = (values: FormValues | null, shown: FormValues) =>
  values !== null && Object.entries(values).some(([name, value]) => shown[name] !== value)

/** The draft, if it belongs to this form (same fields, same types) and differs from the empty form. */
const fitting = (draft: unknown, empty: FormValues): FormValues | null => {
  if (typeof draft !== 'object' || draft === null) return null
  const kept: Record<string, unknown> = { ...draft }
  const fields = Object.entries(empty)
  if (!fields.every(([name, value]) => typeof kept[name] === typeof value)) return null
  return isOther(empty, draft as FormValues) ? (draft as FormValues) : null
}
