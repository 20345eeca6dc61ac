import { type FormErrors, schemaResolver, useForm } from '@mantine/form'
import type { z } from 'zod'
import { ApiError } from '#web/lib/http.ts'
import { toasts } from './states/toasts.tsx'

type CheckedFormOptions<Values> = {
  schema: z.ZodType
  start: Values
  onValuesChange?: (values: Values) => void
  /** Keeps what is typed. */
  draft?: { values: Values; change: (values: Values) => void }
}

/** A form that shows the contract's and the server's error messages at its fields. */
export const useCheckedForm = <Values extends Record<string, string | number>>({
  schema,
  start,
  draft,
  onValuesChange = draft?.change,
}: CheckedFormOptions<Values>) => {
  const form = useForm<Values>({
    initialValues: draft?.values ?? start,
    validate: schemaResolver(schema, { sync: true }),
    validateInputOnBlur: false,
    ...(onValuesChange && { onValuesChange }),
  })

  const focusFirst = (errors: FormErrors) => {
    const [field] = Object.keys(start).filter((name) => errors[name])
    if (field !== undefined) form.getInputNode(field as Parameters<typeof form.getInputNode>[0])?.focus()
  }

  const showFieldErrors = (failure: unknown) => {
    if (!(failure instanceof ApiError)) return
    form.setErrors(failure.fields)
    focusFirst(failure.fields)
  }

  return {
    form,
    focusFirst,
    showFieldErrors,
    /** Shows errors at the fields that the server named, else in a toast. */
    showFailure: (failure: unknown, otherwise: string) => {
      showFieldErrors(failure)
      const isAtField = failure instanceof ApiError && Object.keys(start).some((name) => failure.fields[name])
      if (!isAtField) toasts.failure(failure, otherwise)
    },
  }
}
