import type { Overrule } from '#contract/overrule.ts'
import { patch } from '#web/lib/http.ts'
import { titleChanges } from '#web/links/title-changes.ts'
import { conflictOf } from '#web/my-records/use-record-changes.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

/** Texts by the names of their fields. */
export type Texts = Record<string, string>

/** New texts for fields. `was` has their values when the person began. */
export type Correction = { texts: Texts; was: Texts; version: number; overrule?: Overrule | undefined }

/**
 * Corrects fields of a record. When other fields have changed in the meantime, both changes are kept. When one of these
 * has, the call is refused with the current record.
 */
export async function correctRecord(
  { path, fields, roleField }: RecordKind,
  id: string,
  { texts, was, version, overrule }: Correction,
): Promise<RecordRow> {
  const body = { ...texts, ...(overrule && { overrule }) }
  const send = (version: number) => withIdentity(() => patch<RecordRow>(`/${path}/${id}`, { ...body, version }))
  const isAsBefore = (current: RecordRow) =>
    fields.every((field) => !(field.name in texts) || valueIn(current, field) === was[field.name])
  const saveBesideOthers = async () => {
    try {
      return await send(version)
    } catch (failure) {
      const current = conflictOf(failure)
      if (!current || !isAsBefore(current)) throw failure
      return send(current.version)
    }
  }
  const saved = await saveBesideOthers()
  const title = fields.find(({ name }) => name === roleField)
  if (title && title.name in texts) titleChanges.add(id, was[title.name] ?? '', valueIn(saved, title))
  return saved
}
