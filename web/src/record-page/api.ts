import type { Field } from '#contract/fields.ts'
import type { Kind } from '#contract/kinds.ts'
import type { Overrule } from '#contract/overrule.ts'
import { patch } from '#web/lib/http.ts'
import { conflictOf } from '#web/my-records/use-record-changes.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

/** A new text for one field. `was` is its value when the person began. */
export type Correction = { field: Field; text: string; was: string; version: number; overrule?: Overrule | undefined }

/**
 * Corrects one field of a record. When another field has changed in the meantime, both changes are kept. When this one
 * has, the call is refused with the current record.
 */
export async function correctRecord({ path }: Kind, id: string, { field, text, was, version, overrule }: Correction) {
  const body = { [field.name]: text, ...(overrule && { overrule }) }
  const send = (version: number) => withIdentity(() => patch<RecordRow>(`/${path}/${id}`, { ...body, version }))
  try {
    return await send(version)
  } catch (failure) {
    const current = conflictOf(failure)
    if (!current || valueIn(current, field) !== was) throw failure
    return send(current.version)
  }
}
