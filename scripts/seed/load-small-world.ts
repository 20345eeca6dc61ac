import { v7 as uuidv7 } from 'uuid'
import { CompanyInput } from '#contract/company.ts'
import { FounderInput } from '#contract/founder.ts'
import { withActor } from '#server/audit-log/actor.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { companyKind } from '#server/companies/kind.ts'
import type { Database } from '#server/db/database.ts'
import type { Facts } from '#server/db/schema.ts'
import { checkNext } from '#server/duplicates/checks.ts'
import { addFinder } from '#server/finders/store.ts'
import { founderKind } from '#server/founders/kind.ts'
import { pictureAddress, savePicture } from '#server/founders/pictures.ts'
import { kinds } from '#server/kinds.ts'
import { putLink } from '#server/links/store.ts'
import { getRecord } from '#server/lists/store.ts'
import { mergeRecords } from '#server/merge/store.ts'
import type { RecordKind } from '#server/records/kind.ts'
import { correctRecord } from '#server/records/write/corrections.ts'
import { changeRecord, createRecord, insertRecords, updateRecord } from '#server/records/write/write.ts'
import { makeAccount, makeNote } from '#server/test/factories.ts'
import { withClock } from './clock.ts'
import { loadInboxes } from './load-small-inbox.ts'
import { loadPipelines } from './load-small-pipelines.ts'
import { slug } from './people.ts'
import { portrait } from './portraits.ts'
import { FELLOWS, FIRMS, NOTES, PEOPLE } from './small-world.ts'
import { CORRECTIONS, EDITS, FINDERS, IMPORTED, LINKS, MERGE, MORE_PEOPLE, SECOND_FIRM } from './small-world-acts.ts'

const DAY = 86_400_000
const IN_OTHER_SCRIPTS: Record<string, string> = { 陳怡君: 'yi-chun-chen', 'ליאור בן־דוד': 'lior-ben-david' }

type Known = { kind: RecordKind; id: string; addedAt: Date }

export const loadSmallWorld = (db: Database): Promise<void> =>
  withClock(db, async (tx, setTime) => {
    const fellows: Account[] = []
    for (const [name, email] of FELLOWS) fellows.push(await makeAccount(tx, { name, email, emailVerified: true }))
    const fellow = (place: number) => fellows[place % fellows.length] as Account
    const known = await addRecords(tx, setTime, fellow)
    await act(tx, setTime, { fellow, known })
    // As the server does for all records, so that the pairs to review are there at the first start.
    while ((await checkNext(tx, kinds, 100)) > 0);
  })

type SetTime = (time: Date) => Promise<void>
type Fellow = (place: number) => Account

async function addRecords(tx: Database, setTime: SetTime, fellow: Fellow): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  let drawn = 0
  const add = async (
    kind: RecordKind,
    creator: Account,
    input: FounderInput | CompanyInput,
    days: number,
    info: Facts,
  ) => {
    const addedAt = new Date(Date.now() - days * DAY)
    await setTime(addedAt)
    const { id } = await createRecord(tx, kind, creator, input)
    const isFounder = kind.name === 'founder'
    const picture = isFounder && { profile_picture_url: pictureAddress(id, addedAt) }
    await changeRecord(tx, kind, id, { facts: { set: { ...info, ...picture } } })
    if (isFounder) await savePicture(tx, id, await portrait(drawn++), addedAt)
    // Acts are on the first of two records of one name.
    if (!known.has(input.name)) known.set(input.name, { kind, id, addedAt })
  }
  // The second ones are the newest.
  const people = [...PEOPLE, ...MORE_PEOPLE]
  for (const [index, [name, current_title, current_company, bio, notes, rating]] of people.entries()) {
    const isSecond = index >= PEOPLE.length + 2
    const handle = IN_OTHER_SCRIPTS[name] ?? `${slug(name)}${isSecond ? '-2' : ''}`
    const input = FounderInput.parse({ name, linkedIn: `https://www.linkedin.com/in/${handle}`, notes, rating })
    // Few fellows add most records, as in reality.
    const creator = fellow(isSecond ? 3 : Math.floor((index % 4) ** 1.5))
    await add(founderKind, creator, input, (name in IN_OTHER_SCRIPTS ? index + 4 : people.length - index) * 5, {
      ...{ current_title, current_company },
      ...(bio && { bio }),
    })
  }
  for (const [index, [name, website, description, info, notes, rating]] of FIRMS.entries()) {
    const input = CompanyInput.parse({ name, website, description, notes, rating })
    await add(companyKind, fellow(Math.floor((index % 3) ** 1.7)), input, (FIRMS.length - index) * 8, info)
  }
  const second = CompanyInput.parse({ ...SECOND_FIRM, notes: 'A designer I know sells through them.' })
  await add(companyKind, fellow(4), second, 1, { industry: 'Marketplace', headquarters: 'Lyon, France' })

  await setTime(new Date(Date.now() - 20 * DAY))
  const imported = { id: uuidv7(), creatorId: fellow(0).id, isImported: true, fields: { ...IMPORTED, rating: null } }
  await withActor(tx, fellow(0), (own) => insertRecords(own, founderKind, [{ ...imported, info: null }]))
  return known
}

type World = { fellow: Fellow; known: Map<string, Known> }

async function act(tx: Database, setTime: SetTime, { fellow, known }: World): Promise<void> {
  const find = (name: string) => known.get(name) as Known
  /** Sets the time of an act on a record. */
  const begin = async ({ about, fellow: place, share }: { about: string; fellow: number; share: number }) => {
    const { kind, id, addedAt } = find(about)
    const at = new Date(addedAt.getTime() + (Date.now() - addedAt.getTime()) * share)
    await setTime(at)
    return { kind, id, at, by: fellow(place) }
  }
  for (const [index, [about, place, content]] of NOTES.entries()) {
    const { kind, id, by } = await begin({ about, fellow: place, share: 0.1 + ((index * 7) % 20) * 0.04 })
    await makeNote(tx, { [kind.name]: id, author: by, content })
  }
  for (const finder of FINDERS) {
    const { kind, id, by } = await begin(finder)
    await addFinder(tx, kind, id, by)
  }
  for (const { values, ...correction } of CORRECTIONS) {
    const { kind, id, by, at } = await begin(correction)
    const record = await getRecord(tx, kind, by, id)
    const done = await correctRecord(tx, kind, by, record, { version: record.version, ...values })
    if (done === undefined) throw new Error(`${correction.about} could not be corrected`)
    const { sources = {}, ...state } = done.record.enrichment
    const dated = Object.fromEntries(
      Object.entries(sources).map(([key, source]) => [
        key,
        key in (record.enrichment.sources ?? {}) ? source : { ...source, at: at.toISOString() },
      ]),
    )
    await changeRecord(tx, kind, id, { enrichment: { ...state, sources: dated } })
  }
  for (const { patch, ...edit } of EDITS) {
    const { kind, id, by, at } = await begin(edit)
    const record = await getRecord(tx, kind, by, id)
    await updateRecord(tx, kind, by, record, { ...patch, version: record.version })
    if (patch.notes !== undefined) await changeRecord(tx, kind, id, { notesEditedAt: at })
  }
  for (const { company, role, ...link } of LINKS) {
    const { id, by } = await begin(link)
    await putLink(tx, { founderId: id, companyId: find(company).id }, role, by)
  }
  await loadPipelines(tx, { fellow, begin })
  await loadInboxes(tx, { fellow, begin })
  await merge(tx, find, await begin({ ...MERGE, about: MERGE.duplicate }))
}

async function merge(tx: Database, find: (name: string) => Known, { by }: { by: Account }): Promise<void> {
  const [survivor, duplicate] = [find(MERGE.survivor).id, find(MERGE.duplicate).id]
  const versions: Record<string, number> = {}
  for (const id of [survivor, duplicate]) versions[id] = (await getRecord(tx, founderKind, by, id)).version
  const input = { survivorId: survivor, duplicateId: duplicate, versions, choices: {}, canChoose: false }
  const merged = await withActor(tx, by, (own) => mergeRecords(own, founderKind, by, uuidv7(), input))
  if (merged === undefined) throw new Error('The records of the small world could not be merged')
}
