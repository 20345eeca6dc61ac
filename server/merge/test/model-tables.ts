import { getTableColumns } from 'drizzle-orm'
import { type KindName, kinds } from '#contract/kinds.ts'
import { RATING_DEFAULT } from '#contract/limits.ts'
import { companyKind } from '#server/companies/kind.ts'
import { records } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { searchable, searchText } from '#server/records/write/search-text.ts'
import { secondaryText } from '#server/records/write/secondary-text.ts'
import type { Fields, Model, ModelRecord } from './model.ts'
import { clockRuns } from './model-pipeline.ts'
import { isShown } from './model-tags.ts'

type Row = Record<string, unknown>

const KINDS: Record<KindName, RecordKind> = { founder: founderKind, company: companyKind }

const columns = getTableColumns(records)
/** The declared columns of all kinds. */
const DECLARED = [...new Set([...founderKind.columns, ...companyKind.columns])]

/** A placeholder for a time or an id that only the database knows. */
export const GIVEN = '(given)'

/** The model's rows of each table that a merge changes, with every column. */
export function tablesOf(model: Model, pairs: [string, string][]): Record<string, Row[]> {
  const kindOf = ({ kind, mergedInto, isDeleted }: ModelRecord) =>
    isDeleted ? `deleted-${kind}` : mergedInto === undefined ? kind : `merged-${kind}`
  const all = [...model.records.values()]
  return {
    records: all.map((record) => {
      const kind = KINDS[record.kind]
      const { fields, info, sources } = record.values
      const address = fields[kind.lookup.field as 'linkedIn'] as string | null
      const text = searchText(kind.searched, { ...info, ...fields })
      return {
        ...{ id: record.id, kind: kindOf(record), merged_into: record.mergedInto ?? null, version: record.version },
        ...Object.fromEntries(DECLARED.map((field) => [columns[field].name, fields[field as keyof Fields] ?? null])),
        ...{ rating: fields.rating ?? RATING_DEFAULT, is_rated: fields.rating !== null },
        ...{ linked_in_key: null, domain_key: null },
        [kind.lookup.column === 'domainKey' ? 'domain_key' : 'linked_in_key']: address && kind.lookup.keyOf(address),
        ...{ creator_id: record.first.account, creator_text: record.first.text, created_at: record.first.at },
        ...{ is_united: record.mergedInto === undefined && model.isUnited(record.id) },
        ...{ notes_edited_by: null, notes_edited_at: null },
        ...pipelineOf(record),
        reached: reachedBy(record),
        has_opinions: model.opinionAuthors(record.id).length > 0,
        ...{ informed_at: null, informed_by: null, first_rating: record.first.rating },
        ...{ is_imported: record.first.isImported, notes_count: model.notesOf(record.id).length },
        last_note_at: model.lastNoteOf(record.id),
        ...{ last_activity_at: GIVEN, last_activity_by: GIVEN },
        ...{ deleted_at: record.isDeleted ? GIVEN : null, deleted_by: record.isDeleted ? GIVEN : null },
        ...{ additional_info: info, enrichment: record.hasSources ? { sources } : {}, enriched_at: record.enrichedAt },
        ...{ search_text: text, search_grams: `of ${text}` },
        mention_text: secondaryText(kind.secondary, { fields, info: info ?? {} }),
      }
    }),
    notes: [...model.rows.notes].map(([id, { recordId, account, text, content, createdAt }]) => ({
      ...{ id, record_id: recordId, kind: kindOf(model.get(recordId)) },
      ...{ author_id: account, author_text: text, content, created_at: createdAt },
      ...{ search_text: searchable(content), import_id: null, import_row: null, has_mentions: false },
    })),
    // Adding a record created one.
    pictures: all.map((record) => ({
      ...{ record_id: record.id, kind: kindOf(record), size: 56, fetched_at: '2026-01-01T00:00:00.000Z' },
      bytes: `\\x${Buffer.from(record.id).toString('hex')}`,
    })),
    finders: all.flatMap(({ id, finders }) =>
      finders.map(({ account, text, at, via }) => ({
        ...{ record_id: id, account_id: account, fellow_text: text, found_at: at, via },
      })),
    ),
    record_members: kinds.flatMap(({ name: kind }) =>
      model.members(kind).map(({ record, account, at, isOwner, isFinder, notes }) => ({
        ...{ record_id: record, account_id: account, kind, created_at: at },
        ...{ is_owner: isOwner, is_finder: isFinder, notes_count: notes },
      })),
    ),
    stage_changes: all.flatMap((record) =>
      record.stays.map(({ stage, account, merge, statusBefore, isOpen }) => ({
        ...{ id: GIVEN, record_id: record.id, kind: kindOf(record), stage_id: stage, account_id: account },
        ...{ entered_at: GIVEN, left_at: isOpen ? null : GIVEN, left_by: isOpen ? null : GIVEN },
        ...{ merge_id: merge, act_id: null, status_before: statusBefore, replaced: null },
      })),
    ),
    ended_steps: all.flatMap(({ id, ended }) =>
      ended.map(({ account, day, sequence }) => ({
        ...{ id: GIVEN, record_id: id, account_id: account, next_on: day, sequence, ended_at: GIVEN },
      })),
    ),
    pipeline_counts: kinds.flatMap(({ name: kind }) => {
      const shown = model.live(kind).filter(({ pipelineVersion }) => pipelineVersion > 0)
      const keyOf = ({ values: { pipeline } }: ModelRecord) =>
        JSON.stringify({ kind, stage_id: pipeline.stageId, status: pipeline.status })
      return [...new Set(shown.map(keyOf))].map((key) => ({
        ...JSON.parse(key),
        count: shown.filter((record) => keyOf(record) === key).length,
      }))
    }),
    counters: kinds.flatMap(({ name: kind }) => countersOf(model, kind)),
    merges: model.merges.map((merge) => ({
      ...{ id: merge.id, kind: merge.kind, survivor_id: merge.survivor, duplicate_id: merge.duplicate },
      ...{ account_id: merge.account, before: merge.before, after: merge.after },
      moved: Object.fromEntries(Object.entries(merge.moved).map(([table, rows]) => [table, [...rows.keys()].sort()])),
      swaps_finder: merge.swapped,
      ...{ merged_at: GIVEN, undone_at: merge.isUndone ? GIVEN : null },
    })),
    duplicate_pairs: pairs
      .filter((pair) => pair.every((id) => model.records.has(id)))
      .map(([a, b]) => ({ a, b, kind: model.get(a).kind, reasons: ['name'], score: 70, dismissed: null })),
    dismissals: [],
    overrules: [],
    links: [...model.rows.links].map(([id, { founderId, companyId, role, account, createdAt }]) => ({
      ...{ id, founder_id: founderId, company_id: companyId, role, created_by: account, created_at: createdAt },
      ...{ founder_kind: kindOf(model.get(founderId)), company_kind: kindOf(model.get(companyId)) },
    })),
    opinions: [...model.rows.opinions].map(
      ([id, { recordId, account, rating, isAfterReading, givenAt, isChanged }]) => ({
        ...{ id, record_id: recordId, kind: kindOf(model.get(recordId)), account_id: account, rating, comment: '' },
        ...{ is_after_reading: isAfterReading, given_at: givenAt, changed_at: isChanged ? GIVEN : null },
      }),
    ),
    opinion_readings: all.flatMap(({ id, readers }) =>
      [...readers].map((account) => ({ record_id: id, account_id: account, read_at: GIVEN })),
    ),
    opinion_reveals: all.flatMap(({ id, revealedBy }) =>
      revealedBy === undefined ? [] : [{ record_id: id, account_id: revealedBy, revealed_at: GIVEN }],
    ),
    record_tags: [...model.rows.record_tags].map(([id, row]) => ({
      ...{ id, record_id: row.recordId, kind: kindOf(model.get(row.recordId)), tag_id: row.tagId },
      ...{ created_at: model.get(row.recordId).first.at, is_shown: isShown(model, [id, row]) },
      ...{ added_by: row.account, added_at: row.addedAt, is_imported: false },
    })),
    duplicate_checks: [...model.queued].map((id) => ({ record_id: id, change_id: GIVEN, priority: 1 })),
  }
}

const reachedBy = ({ stays, values: { pipeline } }: ModelRecord) =>
  [...new Set([...stays.map(({ stage }) => stage), ...(pipeline.stageId === null ? [] : [pipeline.stageId])])].sort()

const pipelineOf = ({ values: { pipeline }, pipelineVersion }: ModelRecord): Row => ({
  ...Object.fromEntries(
    Object.entries(pipeline).map(([column, value]) => [columns[column as keyof typeof pipeline].name, value]),
  ),
  pipeline_version: pipelineVersion,
  stage_since: clockRuns(pipeline) ? GIVEN : null,
  stage_spent: pipeline.stageId !== null && !clockRuns(pipeline) ? GIVEN : null,
})

/** The number of records by account or name, added and in My Records. */
function countersOf(model: Model, kind: KindName): Row[] {
  const members = model.members(kind)
  const creators = new Map<string, { creator_id: string | null; creator_text: string | null }>()
  for (const { first } of model.live(kind)) {
    creators.set(`${first.account} ${first.text}`, { creator_id: first.account, creator_text: first.text })
  }
  for (const { account } of members) creators.set(`${account} null`, { creator_id: account, creator_text: null })
  return [...creators.values()].map((creator) => ({
    ...{ ...creator, kind },
    added: model
      .live(kind)
      .filter(({ first }) => first.account === creator.creator_id && first.text === creator.creator_text).length,
    mine: creator.creator_id === null ? 0 : members.filter(({ account }) => account === creator.creator_id).length,
  }))
}
