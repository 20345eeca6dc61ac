import type { Field } from '#contract/fields.ts'
import type { Texts } from '#web/record-page/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { RecordRow } from '#web/records/record-row.ts'
import { valueIn } from '#web/records/record-values.ts'
import { useDraft } from '#web/session/use-draft.ts'

/** Where what is typed into the form of all fields is stored. */
export const fieldsDraftOf = ({ id }: Pick<RecordRow, 'id'>) => `correct ${id}`

/** As stored: the typed texts, the values that the fields had before, and the version of the record then. */
type Stored = { values: Texts; was?: Texts; version: number }

export type FieldsDraft = ReturnType<typeof useFieldsDraft>

/** The typed fields of a record. All others follow the record. */
export function useFieldsDraft(kind: RecordKind, record: RecordRow) {
  const { id, name, version } = record
  const draft = useDraft<Stored>(
    fieldsDraftOf(record),
    { values: {}, was: {}, version },
    { what: 'change', kind: kind.name, id, name },
  )
  const { values: texts, was = {} } = draft.values

  const keep = (texts: Texts, was: Texts) => {
    if (Object.keys(texts).length === 0) draft.discard()
    else draft.change({ values: texts, was, version: draft.values.version })
  }
  const without = (texts: Texts, { name }: Field): Texts => {
    const { [name]: _, ...others } = texts
    return others
  }
  return {
    texts,
    was,
    version: draft.values.version,
    isTyped: draft.isTyped,
    discard: draft.discard,
    /** A text that is typed back is not a change. */
    change: (field: Field, text: string) => {
      const before = was[field.name] ?? valueIn(record, field)
      if (text === before) keep(without(texts, field), without(was, field))
      else keep({ ...texts, [field.name]: text }, { ...was, [field.name]: before })
    },
    drop: (fields: readonly Field[]) => keep(fields.reduce(without, texts), fields.reduce(without, was)),
  }
}
