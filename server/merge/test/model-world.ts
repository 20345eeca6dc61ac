import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import type { KindName } from '#contract/kinds.ts'
import { withActor } from '#server/audit-log/actor.ts'
import { companyKind } from '#server/companies/kind.ts'
import type { Database } from '#server/db/database.ts'
import { duplicatePairs, finders, importRows, merges, notes, pictures, records } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { lockKnown, saveFindings } from '#server/enrichment/store.ts'
import { founderKind } from '#server/founders/kind.ts'
import { searchable } from '#server/records/write/search-text.ts'
import { editRecord, insertRecords } from '#server/records/write/write.ts'
import type { FieldValues } from '#server/records/write/written-columns.ts'
import type { fellowOf } from '#server/test/fellow.ts'
import { type Choices, type Fields, type Kept, Model, type ModelRecord } from './model.ts'
import { deleteLink, linkedKindOf, pathOf, putLink } from './model-links.ts'
import { deleteOpinion, putOpinion, revealOpinions } from './model-opinions.ts'
import { movePipeline, noPipeline, type Choices as PipelineChoices } from './model-pipeline.ts'
import { type KnownTags, putTag } from './model-tags.ts'

type Fellow = Awaited<ReturnType<typeof fellowOf>>

/** Values that the steps use: the address of a record, and a value of public data. */
type WorldKind = { kind: EnrichedKind; addressOf: (number: number) => Partial<Fields>; found: string }
const KINDS: Record<KindName, WorldKind> = {
  founder: {
    kind: founderKind,
    addressOf: (number) => ({ linkedIn: `https://www.linkedin.com/in/n${number}` }),
    found: 'current_company',
  },
  company: {
    kind: companyKind,
    addressOf: (number) => ({
      website: number % 3 === 0 ? null : `https://n${number}.example`,
      description: number % 4 === 0 ? null : `Description ${number}`,
    }),
    found: 'industry',
  },
}

const pick = <Item>(items: Item[], at: number): Item | undefined => items[at % Math.max(items.length, 1)]
const side = fc.constantFrom(undefined, 'survivor', 'duplicate')
const choices = fc.record({
  ...{ name: side, linkedIn: side, website: side, description: side, rating: side, found: side },
  notes: fc.constantFrom(undefined, 'survivor', 'duplicate', 'both'),
})
const number = fc.nat(50)
export const step = fc.record({
  act: fc.constantFrom(
    ...['add', 'add-imported', 'note', 'note', 'note', 'note-imported', 'find', 'find', 'find-imported'],
    ...['move', 'move', 'move', 'move', 'move', 'move', 'move', 'move'],
    ...['merge', 'merge', 'merge', 'merge', 'undo', 'undo', 'undo', 'undo', 'rename', 'rate', 'enrich', 'enrich'],
    ...['pair', 'delete', 'delete', 'restore', 'restore', 'delete-note'],
    ...['link', 'link', 'link', 'link', 'link', 'link', 'unlink'],
    ...['tag', 'tag', 'tag', 'untag'],
    ...['opine', 'opine', 'opine', 'opine', 'opine', 'opine', 'take-opinion', 'take-opinion', 'reveal'],
  ),
  ...{ of: fc.constantFrom<KindName>('founder', 'company'), by: fc.nat(2), one: number, other: number, choices },
  chance: fc.nat(100_000),
  role: fc.constantFrom(undefined, '', 'CEO', 'CTO', 'Chair'),
})
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A time before the test, some of them equal. */
const timeOf = (number: number) => new Date(Date.UTC(2020, 0, 1 + (number % 20))).toISOString()

type WorldParts = {
  db: Database
  fellows: Fellow[]
  importId: string
  pipeline: Pick<PipelineChoices, 'stages' | 'reasons'>
  tags: KnownTags
}

/** The product and the model, and the steps that run on both. */
export class World {
  model = new Model()
  pairs: [string, string][] = []
  readonly #db: Database
  readonly #fellows: Fellow[]
  readonly #importId: string
  readonly #tags: KnownTags

  readonly #pipeline: PipelineChoices

  constructor({ db, fellows, importId, pipeline, tags }: WorldParts) {
    this.#pipeline = { ...pipeline, fellows, db }
    this.#db = db
    this.#fellows = fellows
    this.#importId = importId
    this.#tags = tags
  }

  /** Runs a step on both. */
  async take(given: Step, at: number): Promise<void> {
    await this.#db.execute(sql`delete from duplicate_checks`)
    this.model.queued.clear()
    const record = pick(this.model.live(given.of), given.one)
    if (given.act === 'add') await this.#add(given, at)
    else if (given.act === 'add-imported') await this.#addImported(given, at)
    else if (given.act === 'undo') await this.#undo(given)
    else if (given.act === 'restore') await this.#restore(given)
    else if (record !== undefined) await this.#takeWith(record, given, at)
  }

  async #takeWith(record: ModelRecord, given: Step, at: number) {
    const { client, account } = this.#fellow(given.by)
    const { model } = this
    const { act, other } = given
    const { kind } = KINDS[record.kind]
    if (act === 'merge') await this.#merge(record, given)
    else if (act === 'move') await movePipeline(record, this.#fellow(given.by), given.chance, this.#pipeline)
    else if (act === 'link' || act === 'unlink') await this.#link(record, given)
    else if (act === 'tag' || act === 'untag') {
      const [known, tagId] = [this.#tags, pick(this.#tags, other)?.id ?? '']
      const of = { model, db: this.#db, fellow: this.#fellow(given.by) }
      await putTag(of, record, { known, tagId, isAdded: act === 'tag' })
    } else if (act === 'opine') await putOpinion(this.#of(given), record, (other % 10) + 1)
    else if (act === 'take-opinion') await deleteOpinion(this.#of(given), record)
    else if (act === 'reveal') await revealOpinions(this.#of(given), record)
    else if (act === 'enrich') await this.#enrich(record, other)
    else if (act === 'note') {
      const { body } = await client.post(`/api/notes/${kind.name}/${record.id}`, { content: `Note ${at}` })
      const { id, content, createdAt } = body.note
      model.rows.notes.set(id, { recordId: record.id, account: account.id, text: null, content, createdAt })
    } else if (act === 'note-imported') {
      const note = { recordId: record.id, account: null, text: 'Old Fellow', content: `Note ${at}` }
      const [id, createdAt] = [uuidv7(), timeOf(other)]
      const row = {
        ...{ id, kind: kind.name, recordId: record.id, authorText: note.text },
        ...{ content: note.content, searchText: searchable(note.content), createdAt: new Date(createdAt) },
      }
      await this.#db.insert(notes).values(row)
      model.rows.notes.set(id, { ...note, createdAt })
    } else if (act === 'delete-note') {
      const [id] = pick(model.notesOf(record.id), other) ?? []
      if (id === undefined) return
      expect((await client.delete(`/api/notes/${kind.name}/${record.id}/${id}`)).status).toBe(200)
      model.rows.notes.delete(id)
    } else if (act === 'find') {
      const { status, body } = await client.post(`/api/records/${record.id}/finders`, {})
      expect(status).toBe(model.hasFound(record.id, account.id) ? 200 : 201)
      const mine = body.find((finder: { isMe: boolean; via: string }) => finder.isMe && finder.via === 'self')
      if (status === 201) model.find(record.id, { account: account.id, text: null, at: mine.foundAt, via: 'self' })
    } else if (act === 'find-imported') {
      const finder = { account: null, text: `Old Fellow ${at}`, at: timeOf(other), via: 'import' }
      const row = { recordId: record.id, fellowText: finder.text, foundAt: new Date(finder.at), via: 'import' as const }
      await this.#db.insert(finders).values(row)
      model.find(record.id, finder)
    } else if (act === 'rate') {
      const rating = (other % 10) + 1
      expect((await client.put(`${pathOf(record)}/${record.id}`, { rating })).status).toBe(200)
      model.change(record, { fields: { ...record.values.fields, rating } })
      record.version += 1
    } else if (act === 'rename') {
      const name = `Renamed ${other}`
      await withActor(this.#db, account, (tx) => editRecord(tx, kind, record.id, { fields: { name } }))
      model.change(record, { fields: { ...record.values.fields, name } })
      record.version += 1
    } else if (act === 'pair') {
      const [a, b] = [record.id, pick(model.live(record.kind), other)?.id ?? record.id].toSorted() as [string, string]
      if (a === b || this.pairs.some((pair) => pair.join() === [a, b].join())) return
      await this.#db.insert(duplicatePairs).values({ a, b, kind: kind.name, reasons: ['name'], score: 70 })
      this.pairs.push([a, b])
    } else if (act === 'delete') {
      expect((await client.delete(`${pathOf(record)}/${record.id}`)).status).toBe(204)
      model.delete(record.id)
    }
  }

  #fieldsOf({ of, one, other }: Step, at: number): Fields {
    const { kind, addressOf } = KINDS[of]
    const blank = Object.fromEntries(kind.columns.map((column) => [column, null]))
    const filled = { name: `Name ${one}`, notes: `Notes ${at}`, rating: 5 }
    return { ...blank, ...addressOf(other), ...filled } as Fields
  }

  async #add(given: Step, at: number) {
    const { client, account } = this.#fellow(given.by)
    const fields = this.#fieldsOf(given, at)
    const input = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
    const { status, body } = await client.post(pathOf({ kind: given.of }), input)
    expect(status).toBe(201)
    await this.#added(given.of, body.id, fields, {
      account: account.id,
      text: null,
      at: body.createdAt,
      isImported: false,
      rating: (fields.rating as number | undefined) ?? null,
    })
  }

  /** Like an import from a file that names the creator. */
  async #addImported(given: Step, at: number) {
    // Some rows of a file have no rating.
    const fields = { ...this.#fieldsOf(given, at), ...(given.one % 2 === 0 && { rating: null }) }
    const first = {
      account: null,
      text: `Old Tool ${given.by}`,
      at: timeOf(given.other),
      ...{ isImported: true, rating: null },
    }
    const id = uuidv7()
    const imported = { creatorText: first.text, createdAt: new Date(first.at), isImported: true }
    await insertRecords(this.#db, KINDS[given.of].kind, [
      { id, fields: fields as FieldValues, info: null, ...imported },
    ])
    await this.#db
      .insert(importRows)
      .values({ importId: this.#importId, row: Date.now() % 1e9, cells: [], outcome: 'created', recordId: id })
      .onConflictDoNothing()
    await this.#added(given.of, id, fields, first)
  }

  async #added(kind: KindName, id: string, fields: Fields, first: ModelRecord['first']) {
    const picture = { recordId: id, kind, size: 56, bytes: Buffer.from(id) }
    await this.#db.insert(pictures).values({ ...picture, fetchedAt: new Date('2026-01-01') })
    const values = { fields, info: null, sources: {}, pipeline: noPipeline() }
    const enrichedAt = await this.#enrichedAtOf(id)
    const state = {
      hasSources: false,
      enrichedAt,
      version: 1,
      pipelineVersion: 0,
      stays: [],
      ended: [],
      mergedInto: undefined,
      isDeleted: false,
      revealedBy: undefined,
    }
    this.model.add({ id, kind, values, first, finders: [], readers: new Set(), ...state })
  }

  /** Like a run that has found one value, or has lost the sources of others. */
  async #enrich(record: ModelRecord, other: number) {
    const { kind, found } = KINDS[record.kind]
    const value = `Found ${other}`
    const source = { provider: 'harmonic', at: timeOf(other) }
    await this.#db.transaction(async (tx: Database) => {
      const before = await lockKnown(tx, kind, record.id)
      if (before === undefined) throw new Error('The record is gone')
      const state = { sources: { ...before.state.sources, [found]: source } }
      await saveFindings(tx, kind, record.id, { findings: { [found]: value }, state })
    })
    this.model.change(record, { info: { [found]: value }, sources: { [found]: source } })
    record.hasSources = true
    record.enrichedAt = await this.#enrichedAtOf(record.id)
  }

  async #merge(record: ModelRecord, { by, other, choices: chosen }: Step) {
    const { client, account } = this.#fellow(by)
    const duplicate = pick(this.model.live(record.kind), other)
    if (duplicate === undefined || duplicate.id === record.id) return
    const { found, ...rest } = chosen
    const of = KINDS[record.kind]
    const known = Object.entries({ ...rest, [of.found]: found }).filter(
      ([field, side]) => side !== undefined && of.kind.shownInHistory.includes(field),
    )
    const given: Choices = Object.fromEntries(known)
    const versions = { [record.id]: record.version, [duplicate.id]: duplicate.version }
    const input = { survivorId: record.id, duplicateId: duplicate.id, versions, choices: given }
    const { status, body } = await client.post('/api/records/merge', input)
    expect([status, body.error]).toEqual([200, undefined])
    const merge = { id: body.mergeId, account: account.id, survivor: record.id, duplicate: duplicate.id }
    this.model.merge({ ...merge, at: await this.#mergedAtOf(merge.id) }, given)
  }

  async #link(record: ModelRecord, { act, by, other, role }: Step) {
    const linked = pick(this.model.live(linkedKindOf(record)), other)
    if (linked === undefined) return
    const [founder, company] = record.kind === 'founder' ? [record, linked] : [linked, record]
    const of = this.#of({ by })
    const pair = { founderId: founder.id, companyId: company.id }
    if (act === 'unlink') await deleteLink(of, pair)
    else await putLink(of, pair, role)
  }

  async #undo({ by, one }: Step) {
    const { model } = this
    const open = model.merges.filter(({ isUndone, survivor }) => !isUndone && !model.get(survivor).isDeleted)
    const merge = pick(open, one)
    if (merge === undefined) return
    const first = model.undoFirst(merge)
    const { client, account } = this.#fellow(by)
    const { status, body } = await client.post(`/api/merges/${merge.id}/undo`, {})
    expect([status, body.undoFirst]).toEqual([first ? 409 : 200, first?.id])
    if (first) return
    const listed = body.keptOnSurvivor.map(({ what, id }: Kept) => `${what} ${id}`)
    const kept = model.undo(merge, account.id).map(({ what, id }) => `${what} ${id}`)
    expect(listed.sort()).toEqual(kept.sort())
  }

  async #restore({ of, by, one }: Step) {
    const record = pick(this.model.deleted(of), one)
    if (record === undefined) return
    const { client } = this.#fellow(by)
    expect((await client.post(`/api/programme/deleted/${record.id}/restore`, {})).status).toBe(200)
    this.model.restore(record.id)
  }

  #fellow = (by: number) => this.#fellows[by] as Fellow
  #of = ({ by }: Pick<Step, 'by'>) => ({ model: this.model, db: this.#db, fellow: this.#fellow(by) })

  async #mergedAtOf(id: string): Promise<string> {
    const [row] = await this.#db.select({ at: merges.mergedAt }).from(merges).where(eq(merges.id, id))
    return (row as { at: Date }).at.toISOString()
  }

  async #enrichedAtOf(id: string): Promise<string> {
    const [row] = await this.#db.select({ at: records.enrichedAt }).from(records).where(eq(records.id, id))
    return (row as { at: Date }).at.toISOString()
  }
}
