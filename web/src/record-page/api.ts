import { queryOptions } from '@tanstack/react-query'
import type { Field } from '#contract/fields.ts'
import type { Kind } from '#contract/kinds.ts'
import { get, patch } from '#web/lib/http.ts'
import { conflictOf } from '#web/my-records/use-record-changes.ts'
import { listsKey } from '#web/records/api.ts'
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

/** The number of records that a search by name offers. */
const OFFERED = 6

/** Records to choose from, by name. */
export const findRecords = (kind: Kind, search: string) =>
  queryOptions({
    queryKey: [...listsKey(kind).slice(0, 1), 'find', search],
    queryFn: ({ signal }) =>
      get<RecordRow[]>(`/${kind.path}?${new URLSearchParams({ search, limit: String(OFFERED) })}`, { signal }),
    enabled: search !== '',
  })
