import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { beginAct, importAct } from '#server/audit-log/actor.ts'
import { recordAuditEntry } from '#server/audit-log/entries.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { imports, tags } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { RowTag } from '#server/import/rows/pipeline-cells.ts'
import { listGone } from '#server/import/rows/pipeline-known.ts'
import { ChangedMeanwhile, type WriteContext } from '#server/import/target.ts'
import { type AllPipelineValues, changedGroups, emptyPipeline } from '#server/pipeline/values.ts'
import { changeEachPipeline } from '#server/records/write/write.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'
import { insertTags } from '#server/tags/record-tags.ts'

/** What a batch writes to one record. `before` is empty for one that it has created with these values. */
export type PipelineWrite = {
  row: number
  recordId: string
  before?: AllPipelineValues
  to?: AllPipelineValues | undefined
  tags: RowTag[]
}

/** What a revert needs. */
export type PipelineUndo = {
  before: { pipeline?: PipelineValues }
  after: { pipeline?: PipelineValues; tagRows?: string[] }
}

/**
 * Writes the pipelines and the tags of a batch, whose records are locked. Returns what a revert needs, by row. Throws if a stage,
 * a fellow or a tag has gone since the rows were read.
 */
export async function writePipelines(
  tx: Database,
  kind: EnrichedKind,
  step: WriteContext,
  writes: PipelineWrite[],
): Promise<Map<number, PipelineUndo>> {
  if (writes.length === 0) return new Map()
  const changes = writes.map(({ before = emptyPipeline, to = before }) => changedGroups(before, to))
  const gone = await listGone(
    tx,
    changes.map(([, after]) => after),
  )
  if (gone.size > 0) throw new ChangedMeanwhile('A stage or a fellow has gone')

  const act = importAct(step.import.id)
  const updated = writes.flatMap(({ recordId: id, before, to: values }) =>
    before !== undefined && values !== undefined ? [{ id, values }] : [],
  )
  if (updated.length > 0) {
    await beginAct(tx, step.actor, { ...act, action: 'update-pipeline' })
    await changeEachPipeline(tx, kind, updated)
    await beginAct(tx, step.actor, act)
  }

  const ids = await idsOfTags(
    tx,
    step,
    writes.flatMap((write) => write.tags),
  )
  const pairs = writes.flatMap(({ recordId, tags }) =>
    tags.map(({ key }) => ({ recordId, tagId: ids.get(key) as string })),
  )
  const tagRows = Map.groupBy(await insertTags(tx, pairs, step.uploader, true), ({ recordId }) => recordId)
  return new Map(
    writes.map(({ row, recordId }, at): [number, PipelineUndo] => {
      const [before = {}, after = {}] = changes[at] ?? []
      const hasChange = Object.keys(after).length > 0
      // One that is created has a pipeline also where its only value is the status active.
      const isWritten = hasChange || writes[at]?.to !== undefined
      const added = tagRows.get(recordId)?.map(({ id }) => id)
      return [
        row,
        {
          before: hasChange ? { pipeline: before } : {},
          after: { ...(isWritten && { pipeline: after }), ...(added && { tagRows: added }) },
        },
      ]
    }),
  )
}

/** The ids of tags by their keys. Creates those that do not exist, and locks all. */
async function idsOfTags(tx: Database, { import: { id: importId }, actor, uploader }: WriteContext, wanted: RowTag[]) {
  const named = new Map(wanted.map((tag) => [tag.key, tag]))
  if (named.size === 0) return new Map<string, string>()
  const missing = [...named.values()].filter((tag) => tag.id === undefined)
  const created =
    missing.length === 0
      ? []
      : await tx
          .insert(tags)
          .values(missing.map(({ key, name }) => ({ id: uuidv7(), key, name, createdBy: uploader.id })))
          .onConflictDoNothing()
          .returning({ id: tags.id, name: tags.name })
  for (const { id, name } of created) {
    const detail = { import: importId }
    await recordAuditEntry(tx, {
      ...{ action: 'create', by: actor, kind: 'tag', objectId: id, after: { id, name }, detail },
    })
  }
  if (created.length > 0) {
    const ids = JSON.stringify(created.map(({ id }) => id))
    await tx
      .update(imports)
      .set({ createdTags: sql`${imports.createdTags} || ${ids}::jsonb` })
      .where(eq(imports.id, importId))
  }
  const rows = await rowsOf<{ id: string; key: string }>(
    tx,
    sql`select ${tags.id}, ${tags.key} from ${tags}
      where ${tags.key} = any (${sql.param([...named.keys()])}::text[]) order by ${tags.id} for key share`,
  )
  if (rows.length < named.size) throw new ChangedMeanwhile('A tag has gone')
  return new Map(rows.map(({ id, key }) => [key, id]))
}
