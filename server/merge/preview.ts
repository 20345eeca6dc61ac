import { comparedFields, keyOf } from '#contract/fields.ts'
import { NOTES_PREVIEWED } from '#contract/limits.ts'
import type { MergedField, MergeInput } from '#contract/merge.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { infoText } from '#server/records/fields.ts'
import type { RecordField, RecordKind } from '#server/records/kind.ts'
import type { RecordRow } from '#server/records/row.ts'
import { columnsOf } from '#server/records/write.ts'
import { changeTo, doNotesFit, foundFirst, type Side, type Values, valuesAfter, valuesOf } from './values.ts'

type Both = Record<Side, RecordRow>

/** What a merge of these records would do. A field without a choice gets the proposed one. */
export function previewMerge(
  kind: RecordKind,
  both: Both,
  { choices, canChoose }: { choices: MergeInput['choices']; canChoose: boolean },
) {
  const notesFit = doNotesFit(both.survivor, both.duplicate)
  const fields = differingFields(kind, both, { notesFit, canChoose })
  const proposed = Object.fromEntries(fields.map(({ field, proposed }) => [field, proposed]))
  // Without a choice, notes that do not fit cannot be merged. The preview then has those of the record found first.
  const isRuled = !canChoose && notesFit
  const chosen = isRuled ? choices : ({ ...proposed, ...(canChoose && choices) } as typeof choices)
  const after = valuesAfter(kind, both, { choices: chosen, canChoose: !isRuled })
  return { fields, canChoose, notesFit, row: mergedRow(kind, both, after) }
}

/** The fields with two different values. */
function differingFields(
  kind: RecordKind,
  both: Both,
  { notesFit, canChoose }: { notesFit: boolean; canChoose: boolean },
): MergedField[] {
  const first = foundFirst(both)
  const other = first === 'survivor' ? 'duplicate' : 'survivor'
  const values = { survivor: valuesOf(kind, both.survivor), duplicate: valuesOf(kind, both.duplicate) }
  return comparedFields(kind.fields).flatMap((field): MergedField[] => {
    const texts = { survivor: textIn(values.survivor, field), duplicate: textIn(values.duplicate, field) }
    if (texts.survivor === '' || texts.duplicate === '' || texts.survivor === texts.duplicate) return []
    const isFuller = canChoose && field.content === 'prose' && lengthOf(texts[other]) > lengthOf(texts[first])
    const side = isFuller ? other : first
    return [{ field: keyOf(field), ...texts, proposed: field.name === 'notes' && notesFit ? 'both' : side }]
  })
}

/** The value that people see: the typed one, else public data. */
const textIn = ({ fields, info }: Values, field: RecordField): string =>
  infoText(fields[field.name]) || infoText(field.info && info?.[field.info])

/** The survivor as the merge would leave it. The record found first gives it the creator and the date. */
function mergedRow(kind: RecordKind, both: Both, after: Values): RecordRow {
  const { survivor, duplicate } = both
  const { createdBy, createdAt, ownerId, hasManager } = both[foundFirst(both)]
  const change = changeTo(after, survivor)
  const isOfOne = ownerId !== null && survivor.ownerId === duplicate.ownerId
  return {
    ...survivor,
    ...(columnsOf(kind, change) as Partial<RecordRow>),
    enrichment: change.enrichment,
    ...{ createdBy, createdAt, ownerId, hasManager },
    version: survivor.version + 1,
    isMember: survivor.isMember || duplicate.isMember,
    isUnited: survivor.isUnited || duplicate.isUnited || !isOfOne,
    notesCount: survivor.notesCount + duplicate.notesCount,
    notesPreview: [...survivor.notesPreview, ...duplicate.notesPreview].sort(newestFirst).slice(0, NOTES_PREVIEWED),
  }
}

type Note = RecordRow['notesPreview'][number]
const newestFirst = (one: Note, other: Note) =>
  other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id)
