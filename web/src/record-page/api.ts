import type { Field } from '#contract/fields.ts'
import type { Kind } from '#contract/kinds.ts'
import { patch } from '#web/lib/http.ts'
import { conflictOf } from '#web/my-records/use-record-changes.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'

/** A new text for one field. `was` is its value when the person began. */
export type Correction = { field: Field; text: string; was: string; version: number }

/**
 * Corrects one field of a record. When another field has changed in the meantime, both changes are kept. When this one
 * has, the call is refused with the current record.
 */
export async function correctRecord({ path }: Kind, id: string, { field, text, was, version }: Correction) {
  const send = (version: number) => patch<RecordRow>(`/${path}/${id}`, { [field.name]: text, version })
  try {
    return await send(version)
  } catch (failure) {
    const current = conflictOf(failure)
    if (!current || valueIn(current, field) !== was) throw failure
    return send(current.version)
  }
}
