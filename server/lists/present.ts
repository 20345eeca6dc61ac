import { z } from 'zod'
import type { Field } from '#contract/fields.ts'
import { isOwnColumn, type OwnColumn } from '#contract/record.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { summarizeFinders } from '#server/finders/found.ts'
import { presentPipeline } from '#server/pipeline/present.ts'
import type { Fields, RecordKind } from '#server/records/kind.ts'
import { rightsOf } from '#server/records/policy.ts'
import type { RecordRow } from './row.ts'

/** A kind whose records have a form on the wire. */
export type PresentedKind<Input extends Fields = Fields> = RecordKind<Input> & {
  /** A record on the wire, field by field, so that a new column cannot leak. */
  present: (caller: Account, row: RecordRow) => object
}

type OwnValues<Fields extends readonly Field[]> = {
  [One in OwnColumn<Fields> as One['name']]: One extends { rule: { isRequired: true } } ? string : string | null
}

/** Presents the fields of every record, and the own columns of a kind. An imported record may lack a required one. */
export function createPresent<const Fields extends readonly Field[]>(fields: Fields) {
  const own = fields
    .filter(isOwnColumn)
    .map(({ name, rule }) => ({ name: name as keyof RecordRow, empty: rule?.isRequired ? '' : null }))
  return (caller: Account, row: RecordRow) => ({
    id: row.id,
    name: row.name,
    notes: row.notes,
    rating: row.rating,
    isRated: row.isRated,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    ...notesEdit(row),
    additionalInfo: row.additionalInfo === null ? null : JSON.stringify(row.additionalInfo),
    notesCount: row.notesCount,
    notesPreview: row.notesPreview,
    ...(row.tags && { tags: row.tags }),
    version: row.version,
    finders: summarizeFinders(caller, row.finders),
    can: rightsOf(caller, row),
    ...(row.pipelineVersion > 0 && { pipeline: presentPipeline(row) }),
    ...(Object.fromEntries(own.map(({ name, empty }) => [name, row[name] ?? empty])) as OwnValues<Fields>),
  })
}

/** Who edited the notes last, and when, unless the creator did. */
const notesEdit = ({ notesEditedBy, notesEditedAt, notesEditor, ownerId, createdBy }: RecordRow) =>
  // An erased creator owns nothing, and no other fellow has that name.
  notesEditor === null ||
  notesEditedAt === null ||
  notesEditedBy === ownerId ||
  (ownerId === null && notesEditor === createdBy)
    ? {}
    : { notesEditedBy: notesEditor, notesEditedAt: notesEditedAt.toISOString() }

/**
 * The schema of a record of any kind. The kind with more fields comes first: a union takes the first schema that fits,
 * and a schema fits an object with further fields.
 */
export const anyRecord = (kinds: readonly RecordKind[]) =>
  z.union(
    kinds
      .map(({ contract }) => contract.Record)
      .sort((a, b) => Object.keys((b as z.ZodObject).shape).length - Object.keys((a as z.ZodObject).shape).length),
  )
