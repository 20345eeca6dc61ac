import { comparedFields, keyOf } from '#contract/fields.ts'
import { NOTES_PREVIEWED, RATING_DEFAULT } from '#contract/limits.ts'
import type { DroppedValue, MergeInput } from '#contract/merge.ts'
import { type PipelineColumn, pipelineFields } from '#contract/pipeline-fields.ts'
import { lengthOf } from '#contract/plain-text.ts'
import { isTimed, statusWords } from '#contract/status.ts'
import { uniteFinders } from '#server/finders/found.ts'
import type { RecordRow } from '#server/lists/row.ts'
import { emptyPipeline } from '#server/pipeline/values.ts'
import { infoText } from '#server/records/fields.ts'
import type { RecordField, RecordKind } from '#server/records/kind.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'
import { tagKey } from '#server/tags/key.ts'
import { changeTo, doNotesFit, foundFirst, type Side, type Values, valuesAfter, valuesOf } from './values.ts'

type Both = Record<Side, RecordRow>

/** What a merge of these records would do. A field without a choice gets the proposed one. */
export function previewMerge(
  kind: RecordKind,
  both: Both,
  { choices, canChoose }: { choices: MergeInput['choices']; canChoose: boolean },
) {
  const notesFit = doNotesFit(both.survivor, both.duplicate)
  const differing = differingFields(kind, both)
  const proposed = Object.fromEntries(
    differing.map(({ declared, ...texts }) => {
      if (declared.name === 'notes' && notesFit) return [keyOf(declared), 'both' as const]
      return [keyOf(declared), canChoose && declared.content === 'prose' ? fullerOf(texts, both) : foundFirst(both)]
    }),
  )
  // Without a choice, notes that do not fit cannot be merged. The preview then has those of the record found first.
  const isRuled = !canChoose && notesFit
  const chosen = isRuled ? choices : ({ ...proposed, ...(canChoose && choices) } as typeof choices)
  const after = valuesAfter(kind, both, { choices: chosen, canChoose: !isRuled })
  const differences = differing.map(({ declared, ...texts }) => ({ field: keyOf(declared), ...texts }))
  const dropped = droppedValues(both.duplicate, after)
  return {
    ...{ differences, proposed, canChoose, notesFit, row: mergedRow(both, after) },
    ...(dropped.length > 0 && { dropped }),
  }
}

/** What the pipeline of the duplicate has, and the survivor does not get. */
function droppedValues(duplicate: RecordRow, { pipeline }: Values): DroppedValue[] {
  const names: PipelineShown = {
    ...{ stageId: duplicate.stageName, responsibleId: duplicate.responsible?.name },
    ...{ status: statusWords[duplicate.status], passingReasonId: duplicate.reasonName },
  }
  return pipelineFields.flatMap(({ name, column }) => {
    const value = duplicate[column]
    if (value === null || value === emptyPipeline[column] || value === pipeline?.[column]) return []
    return { field: name, value: names[column] ?? value }
  })
}

type PipelineShown = { [Column in PipelineColumn]?: string | null | undefined }

/** The fields with two different values. */
function differingFields(kind: RecordKind, both: Both) {
  const values = { survivor: valuesOf(kind, both.survivor), duplicate: valuesOf(kind, both.duplicate) }
  return comparedFields(kind.fields)
    .map((declared) => ({
      declared,
      survivor: textIn(values.survivor, declared),
      duplicate: textIn(values.duplicate, declared),
    }))
    .filter(({ survivor, duplicate }) => survivor !== '' && duplicate !== '' && survivor !== duplicate)
}

/** The side with the longer text; of two equally long ones that of the record found first. */
function fullerOf(texts: Record<Side, string>, both: Both): Side {
  const first = foundFirst(both)
  const other = first === 'survivor' ? 'duplicate' : 'survivor'
  return lengthOf(texts[other]) > lengthOf(texts[first]) ? other : first
}

/** The value that people see: the typed one, else public data. */
const textIn = ({ fields, info }: Values, field: RecordField): string =>
  infoText(fields[field.name]) || infoText(field.info && info?.[field.info])

/** The survivor as the merge would leave it. The record found first gives it the creator and the date. */
function mergedRow(both: Both, after: Values): RecordRow {
  const { survivor, duplicate } = both
  const { createdBy, createdAt, ownerId, hasOwnerLeft, hasManager } = both[foundFirst(both)]
  const { fields, info, pipeline, ...others } = changeTo(after, survivor)
  const editor = [survivor, duplicate].find(({ notesEditedBy }) => notesEditedBy === others.notesEditedBy)
  const isOfOne = ownerId !== null && survivor.ownerId === duplicate.ownerId
  return {
    ...survivor,
    ...(fields as Partial<RecordRow>),
    ...{
      additionalInfo: info,
      ...others,
      notesEditor: editor?.notesEditor ?? null,
      rating: fields.rating ?? RATING_DEFAULT,
      isRated: fields.rating !== null,
    },
    ...{ createdBy, createdAt, ownerId, hasOwnerLeft, hasManager },
    ...(pipeline && takenPipeline(pipeline, both)),
    version: survivor.version + 1,
    isMember: survivor.isMember || duplicate.isMember,
    isUnited: survivor.isUnited || duplicate.isUnited || !isOfOne,
    tags: uniteTags(survivor.tags, duplicate.tags),
    finders: uniteFinders(survivor.finders, duplicate.finders),
    notesCount: survivor.notesCount + duplicate.notesCount,
    notesPreview: [...survivor.notesPreview, ...duplicate.notesPreview].sort(newestFirst).slice(0, NOTES_PREVIEWED),
  }
}

/** By name, as `lists/row.ts` orders them. */
function uniteTags(...both: RecordRow['tags'][]): RecordRow['tags'] {
  const byId = new Map(both.flatMap((tags) => tags ?? []).map((tag) => [tag.id, tag]))
  const all = [...byId.values()].sort((one, other) => (tagKey(one.name) < tagKey(other.name) ? -1 : 1))
  return all.length === 0 ? null : all
}

/** What the survivor takes of the pipeline of the duplicate, as rows have it. Its time in a stage is not taken. */
function takenPipeline(taken: PipelineValues, { survivor, duplicate }: Both): Partial<RecordRow> {
  const runs = taken.stageId !== undefined && isTimed(taken.status ?? survivor.status)
  return {
    ...taken,
    ...(taken.stageId !== undefined && {
      stageName: duplicate.stageName,
      stageSince: runs ? new Date() : null,
      stageSpent: runs ? null : 0,
    }),
    ...(taken.responsibleId !== undefined && { responsible: duplicate.responsible }),
    ...(taken.passingReasonId !== undefined && { reasonName: duplicate.reasonName }),
    pipelineVersion: survivor.pipelineVersion + 1,
  }
}

type Note = RecordRow['notesPreview'][number]
const newestFirst = (one: Note, other: Note) =>
  other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id)
