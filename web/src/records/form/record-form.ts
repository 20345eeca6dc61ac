import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { RecordRow } from '#web/records/record-row.ts'

export type FormValues = Record<string, string | number>

/** In `conflict`, another fellow's version is shown above the fields. */
type FormMode = 'add' | 'edit' | 'conflict'

export type FieldsProps = {
  form: UseFormReturnType<FormValues>
  mode: FormMode
  /** Shown below the name: similar records. */
  similar?: ReactNode
  /** False for a form that a link has filled in. */
  takesFocus?: boolean
}

/** The form of one kind of record: its schemas, and its fields for adding and editing. */
export type RecordForm = {
  Record: z.ZodType<RecordRow>
  Input: z.ZodType
  Patch: z.ZodObject
  empty: FormValues
  Fields: (props: FieldsProps) => ReactNode
}

/** The rating in the form of a record that is not rated: no star is chosen. */
const NO_RATING = 0

/** The values of a record that an edit may change, as the form holds them. */
export function editedValues({ Patch }: RecordForm, record: RecordRow): FormValues {
  const values = {
    ...record,
    ...(!record.isRated && { rating: NO_RATING }),
  } as unknown as Record<string, string | number | null | undefined>
  const names = Object.keys(Patch.shape).filter((name) => name !== 'version')
  return Object.fromEntries(names.map((name) => [name, values[name] ?? '']))
}

/** The values to send: without a rating as long as no star is chosen. */
export const patchOf = ({ rating, ...values }: FormValues): FormValues =>
  rating === NO_RATING || rating === undefined ? values : { ...values, rating }
