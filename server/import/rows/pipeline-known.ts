import { and, inArray, isNull } from 'drizzle-orm'
import { UNMATCHED_MAX, type Unmatched } from '#contract/import.ts'
import {
  type MatchedField,
  matchedFields,
  type PipelineFileName,
  pipelineFileFields,
} from '#contract/pipeline-fields.ts'
import { type Status, statuses, statusWords } from '#contract/status.ts'
import { TAGS_MAX } from '#contract/tags.ts'
import { isActive } from '#server/account/active-accounts.ts'
import { hasManager } from '#server/auth/store.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, passingReasons, stages, tags } from '#server/db/schema.ts'
import { invalid } from '#server/http/errors.ts'
import type { Reading } from '#server/import/target.ts'
import type { PipelineValues } from '#server/records/write/written-columns.ts'
import { type HasRole, rights } from '#server/rights.ts'
import { tagKey } from '#server/tags/key.ts'

// The stages, fellows, reasons and tags that the cells of a file are matched to, by name.

/** What a cell stands for: its id in the table of records, and its name. */
export type Match = { id: string; name: string }

/** The matches of the values of a field: by name, and by the choice of a person. Null leaves a value out. */
type Matches = { byName: Map<string, Match>; chosen: Map<string, Match | null> }

export type KnownPipeline = {
  matches: Record<MatchedField, Matches>
  tags: Map<string, Match>
  createsTags: boolean
  /** Whether the uploader may set the status advanced, and take it back. */
  canAdvance: boolean
  /** The stages that are not archived, and the fellows who are here, by their ids. */
  open: Set<string>
}

/** What statuses are called in other files and languages. */
const OTHER_NAMES: Record<Status, string[]> = {
  active: ['open', 'aktiv', 'offen', 'actif', 'active', 'ouvert', 'activo', 'activa', 'abierto'],
  on_hold: ['hold', 'paused', 'pausiert', 'zurückgestellt', 'en attente', 'en pause', 'en espera', 'pausado'],
  passed: [
    ...['pass', 'declined', 'rejected', 'abgelehnt', 'abgesagt', 'absage'],
    ...['refusé', 'décliné', 'rechazado', 'descartado'],
  ],
  advanced: ['weitergeleitet', 'avancé', 'avanzado'],
}

/** Names without case, accents, and differences of spaces, hyphens and underscores. */
export const nameKey = (text: string): string =>
  tagKey(text.includes('@') ? text.trim() : text.trim().replaceAll(/[\s_-]+/g, ' '))

const isMapped = ({ mapping }: Pick<Reading, 'mapping'>): boolean =>
  pipelineFileFields.some(({ name }) => mapping[name as PipelineFileName] !== undefined)

/** Undefined for a file without such columns. */
export async function loadKnown(db: Database, file: Reading, uploader: HasRole): Promise<KnownPipeline | undefined> {
  if (!isMapped(file)) return undefined
  const [choosable, knownTags, isManaged] = await Promise.all([
    listChoosable(db),
    db.select({ id: tags.id, name: tags.name, key: tags.key }).from(tags),
    hasManager(db),
  ])
  const matchesOf = (field: MatchedField): Matches => {
    const all = choosable[field]
    const byId = new Map(all.map(({ wireId, match }) => [wireId, match]))
    const chosen = Object.entries(file.choices?.[field] ?? {}).map(([text, id]): [string, Match | null] => [
      nameKey(text),
      id === null ? null : (byId.get(id) ?? null),
    ])
    return { byName: byNames(all), chosen: new Map(chosen) }
  }
  return {
    matches: Object.fromEntries(matchedFields.map((field) => [field, matchesOf(field)])) as KnownPipeline['matches'],
    tags: new Map(knownTags.map(({ key, ...tag }) => [key, tag])),
    createsTags: file.createTags,
    canAdvance: rights.advance.allows(uploader, isManaged),
    open: new Set([...choosable.stage, ...choosable.responsible].map(({ match }) => match.id)),
  }
}

type Choosable = { wireId: string; match: Match; names: string[] }

/** What a value may stand for: no archived stage, no fellow who has left, no removed reason. */
async function listChoosable(db: Database): Promise<Record<MatchedField, Choosable[]>> {
  const simple = ({ id, name }: Match): Choosable => ({ wireId: id, match: { id, name }, names: [name] })
  const [ofStages, ofFellows, ofReasons] = await Promise.all([
    db.select({ id: stages.id, name: stages.name }).from(stages).where(isNull(stages.archivedAt)),
    db
      .select({ id: accounts.id, publicId: accounts.publicId, name: accounts.name, email: accounts.email })
      .from(accounts)
      .where(isActive),
    db
      .select({ id: passingReasons.id, name: passingReasons.name })
      .from(passingReasons)
      .where(isNull(passingReasons.removedAt)),
  ])
  return {
    stage: ofStages.map(simple),
    status: statuses.map((status) => ({
      ...{ wireId: status, match: { id: status, name: statusWords[status] } },
      names: [status, ...OTHER_NAMES[status]],
    })),
    responsible: ofFellows.map(({ id, publicId, name, email }) => ({
      ...{ wireId: publicId, match: { id, name: name || email }, names: [name, email] },
    })),
    reason: ofReasons.map(simple),
  }
}

/** A name that two have, such as two fellows, stands for neither. */
function byNames(all: Choosable[]): Map<string, Match> {
  const byName = new Map<string, Match>()
  const twice = new Set<string>()
  for (const { match, names } of all) {
    for (const key of new Set(names.map(nameKey))) {
      if (key !== '' && byName.has(key)) twice.add(key)
      byName.set(key, match)
    }
  }
  for (const key of [...twice, '']) byName.delete(key)
  return byName
}

/** Throws the 400 for a choice that cannot be made. */
export async function refuseWrongChoices(db: Database, choices: Reading['choices']): Promise<void> {
  const chosen = Object.entries(choices ?? {}) as [MatchedField, Record<string, string | null>][]
  if (chosen.length === 0) return
  const choosable = await listChoosable(db)
  for (const [field, values] of chosen) {
    const ids = new Set(choosable[field].map(({ wireId }) => wireId))
    const isWrong = Object.values(values).some((id) => id !== null && !ids.has(id))
    if (isWrong || Object.keys(values).length > UNMATCHED_MAX) {
      throw invalid({ choices: 'Choose a value of this product, or leave the value out' })
    }
  }
}

/** Collects the values that are not known by name, in the order of the file. */
export function createUnmatched() {
  const found = new Map<keyof Unmatched, Map<string, { text: string; count: number }>>()
  return {
    add(field: keyof Unmatched, text: string): void {
      const values = found.get(field) ?? new Map<string, { text: string; count: number }>()
      found.set(field, values)
      const known = values.get(nameKey(text))
      if (known) known.count += 1
      else if (values.size < UNMATCHED_MAX) values.set(nameKey(text), { text, count: 1 })
    },
    list: (): Unmatched => Object.fromEntries([...found].map(([field, values]) => [field, [...values.values()]])),
  }
}
export type UnmatchedCollector = ReturnType<typeof createUnmatched>

/** Whether more tags can be created. */
export const hasRoomForTags = ({ tags: known }: KnownPipeline): boolean => known.size < TAGS_MAX

/** Those of the stages and fellows in these values that cannot be given any more. Locks the stages, which then cannot be archived. */
export async function listGone(tx: Database, values: PipelineValues[]): Promise<Set<string>> {
  const idsIn = (column: 'stageId' | 'responsibleId') => [...new Set(values.flatMap((one) => one[column] ?? []))]
  const [stageIds, accountIds] = [idsIn('stageId').sort(), idsIn('responsibleId')]
  const open =
    stageIds.length === 0
      ? []
      : await tx
          .select({ id: stages.id })
          .from(stages)
          .where(and(inArray(stages.id, stageIds), isNull(stages.archivedAt)))
          .orderBy(stages.id)
          .for('share')
  const here =
    accountIds.length === 0
      ? []
      : await tx
          .select({ id: accounts.id })
          .from(accounts)
          .where(and(inArray(accounts.id, accountIds), isActive))
  const known = new Set([...open, ...here].map(({ id }) => id))
  return new Set([...stageIds, ...accountIds].filter((id) => !known.has(id)))
}
