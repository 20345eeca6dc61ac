import { useState } from 'react'
import type { z } from 'zod'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { useCheckedForm } from '#web/ui/use-checked-form.ts'

type RecordFormOptions<Values> = { schema: z.ZodType; empty: Values; draft: DraftPlace }

/** The mechanics of an add form. Its values are kept as a draft until they are saved or discarded. */
export const useRecordForm = <Values extends Record<string, string | number>>({
  schema,
  empty,
  draft,
}: RecordFormOptions<Values>) => {
  const [restored] = useState(() => fitting(drafts.read(draft), empty))
  const [isRestored, setRestored] = useState(restored !== null)

  const { form, focusFirst, showFieldErrors } = useCheckedForm<Values>({
    schema,
    start: restored ?? empty,
    onValuesChange: (values) => drafts.keep(draft, values),
  })

  const dropDraft = () => {
    drafts.drop(draft)
    idempotencyKeys.drop(draft)
  }

  return {
    form,
    isRestored,
    isTyped: Object.entries(empty).some(([name, value]) => form.values[name] !== value),
    focusFirst,
    startOver: () => {
      setRestored(false)
      form.setValues(empty)
      form.clearErrors()
      dropDraft()
    },
    dropDraft,
    /** The idempotency key of this form, the same until its draft is dropped. */
    key: () => idempotencyKeys.of(draft),
    showFieldErrors,
  }
}

/** The draft, if it belongs to this form (same fields, same types) and differs from the empty form. */
const fitting = <Values extends Record<string, string | number>>(draft: unknown, empty: Values): Values | null => {
  if (typeof draft !== 'object' || draft === null) return null
  const kept: Record<string, unknown> = { ...draft }
  const fields = Object.entries(empty)
  if (!fields.every(([name, value]) => typeof kept[name] === typeof value)) return null
  return fields.some(([name, value]) => kept[name] !== value) ? (draft as Values) : null
}
