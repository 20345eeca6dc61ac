import { type FormErrors, schemaResolver, useForm } from '@mantine/form'
import { useState } from 'react'
import type { z } from 'zod'
import { type DraftPlace, drafts } from '#web/lib/drafts.ts'
import { ApiError } from '#web/lib/http.ts'

type RecordFormOptions<Values> = { schema: z.ZodType; empty: Values; draft: DraftPlace }

/**
 * The mechanics of an add form: the contract's own rules and sentences at the fields, the server's beside them, and
 * what is typed kept as a draft until it is sent or given up.
 */
export const useRecordForm = <Values extends Record<string, string | number>>({
  schema,
  empty,
  draft,
}: RecordFormOptions<Values>) => {
  const [restored] = useState(() => fitting(drafts.read(draft), empty))
  const [isRestored, setRestored] = useState(restored !== null)

  const form = useForm<Values>({
    initialValues: restored ?? empty,
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: false,
    onValuesChange: (values) => drafts.keep(draft, values),
  })

  const focusFirst = (errors: FormErrors) => {
    const [field] = Object.keys(empty).filter((name) => errors[name])
    if (field !== undefined) form.getInputNode(field as Parameters<typeof form.getInputNode>[0])?.focus()
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
      drafts.drop(draft)
    },
    dropDraft: () => drafts.drop(draft),
    showFailure: (failure: unknown) => {
      if (!(failure instanceof ApiError)) return
      form.setErrors(failure.fields)
      focusFirst(failure.fields)
    },
  }
}

/** A draft, if it is one of this form: the same fields, of the same types, and not as empty as at the start. */
const fitting = <Values extends Record<string, string | number>>(draft: unknown, empty: Values): Values | null => {
  if (typeof draft !== 'object' || draft === null) return null
  const kept: Record<string, unknown> = { ...draft }
  const fields = Object.entries(empty)
  if (!fields.every(([name, value]) => typeof kept[name] === typeof value)) return null
  return fields.some(([name, value]) => kept[name] !== value) ? (draft as Values) : null
}
