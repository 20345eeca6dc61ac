import { describe, expect, it } from 'vitest'
import { type Field, keyOf, storedFields } from '#contract/fields.ts'
import type { ImportDuplicates } from '#contract/import.ts'
import { records } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { createEmptyApp, csv, importFile, NONE, rowsOf } from '#server/import/test/import-file.ts'
import { kindHeaders } from '#server/kind-headers.ts'
import { infoText } from '#server/records/fields.ts'
import { KINDS, valueIn } from '#server/test/declared-values.ts'
import { makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

// What an import changes of a record that is here, compared with what the same person changes by hand. Here: each role with
// one file, and each file by its creator and by a fellow without a right. `npm run test:long -- measured` does all.

const test = createEmptyApp()

type Fellow = Awaited<ReturnType<typeof fellowOf>>
type Values = { [name: string]: unknown }

const ROLES: {
  role: string
  isEditor: boolean
  become: (owner: Fellow, kind: EnrichedKind, id: string) => Promise<Fellow>
}[] = [
  { role: 'its creator', isEditor: true, become: async (owner) => owner },
  {
    ...{ role: 'who has also found it', isEditor: true },
    become: async (_owner, _kind, id) => {
      const fellow = await fellowOf(test)
      expect((await fellow.client.post(`/api/records/${id}/finders`, {})).status).toBe(201)
      return fellow
    },
  },
  {
    ...{ role: 'the author of a note on it', isEditor: true },
    become: async (_owner, { name }, id) => {
      const fellow = await fellowOf(test)
      await makeNote(test.db, { [name]: id, author: fellow.account })
      return fellow
    },
  },
  { role: 'a manager', isEditor: true, become: () => fellowOf(test, { role: 'manager' }) },
  { role: 'any other fellow', isEditor: false, become: () => fellowOf(test) },
]

/** A file with one row of these values. */
const fileOf = (kind: EnrichedKind, values: Values) =>
  csv(
    Object.keys(values)
      .map((name) => kindHeaders[kind.name].columns[name]?.[0])
      .join(),
    Object.values(values).map(infoText).join(),
  )

describe.each(KINDS)('On a record of $kind.path that is here,', ({ kind, values }) => {
  const fields = storedFields(kind.fileFields)
  const [ones, others] = ([0, 1] as const).map((at) =>
    Object.fromEntries(fields.map((field) => [field.name, values[keyOf(field)]?.[at]])),
  ) as [Values, Values]

  const get = async (client: TestClient, id: string) => (await client.get(`/api/${kind.path}/${id}`)).body

  /** The fields of which the record has the wanted value. */
  async function listChanged(client: TestClient, id: string, wanted: Values): Promise<string[]> {
    const record = await get(client, id)
    const has = (field: Field) =>
      infoText(valueIn({ field, isColumn: field.isColumn === true }, record)) === infoText(wanted[field.name])
    return fields.flatMap((field) => (field.name in wanted && has(field) ? [field.name] : [])).sort()
  }

  async function changeByHand(client: TestClient, id: string, wanted: Values) {
    const texts = Object.entries(wanted).map(([name, value]) => [
      name,
      typeof value === 'object' ? infoText(value) : value,
    ])
    for (const way of ['PUT', 'PATCH'] as const) {
      const { version } = await get(client, id)
      await client.call(way, `/api/${kind.path}/${id}`, { body: { ...Object.fromEntries(texts), version } })
    }
  }

  /** The fields that a caller in this role changes in a new record. */
  async function changedBy(
    { become }: (typeof ROLES)[number],
    { before, wanted }: { before: Values; wanted: Values },
    change: (client: TestClient, id: string) => Promise<void>,
  ): Promise<string[]> {
    await test.db.delete(records)
    const owner = await fellowOf(test)
    const made = await importFile(owner.client, fileOf(kind, before), { kind: kind.name })
    const id = (await rowsOf(owner.client, made.id))[0]?.recordId as string
    const { client } = await become(owner, kind, id)
    await change(client, id)
    return listChanged(client, id, wanted)
  }

  const lookup = kind.lookup.field
  // A row with another address meets the record by the email, if the old one identifies no one, or by the parent domain.
  const withOtherAddress =
    kind.name === 'founder'
      ? { name: ones.name, email: ones.email, linkedIn: others.linkedIn }
      : { name: ones.name, website: 'https://en.halyard.example' }
  const unidentified = {
    ...ones,
    ...(kind.name === 'founder' && { linkedIn: 'https://www.linkedin.com/sales/lead/ada' }),
  }
  // A host under another name, or with another profile, is not certain.
  const identity = kind.name === 'founder' ? [lookup] : ['name', lookup, 'linkedIn']
  const sameOne = Object.fromEntries(identity.map((name) => [name, ones[name]]))
  const FILES: [string, { before: Values; given: Values; duplicates: ImportDuplicates }][] = [
    ['fills', { before: { name: ones.name }, given: ones, duplicates: 'fill' }],
    ['updates', { before: ones, given: { ...others, ...sameOne }, duplicates: 'update' }],
    ['changes the address', { before: unidentified, given: withOtherAddress, duplicates: 'update' }],
  ]
  const CASES = ROLES.flatMap((role) => FILES.map(([does, file]) => ({ ...role, does, file }))).filter(
    ({ role, does }) =>
      process.env.LONG ||
      [ROLES[0], ROLES.at(-1)].some((edge) => edge?.role === role) ||
      (does === 'updates' && kind.name === 'founder'),
  )

  it.each(CASES)('$role $does by an import as by PUT and PATCH', { tags: 'slow' }, async ({ file, ...role }) => {
    const { before, given, duplicates } = file
    const wanted = Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== before[name]))
    const byHand = await changedBy(role, { before, wanted }, (client, id) => changeByHand(client, id, wanted))
    const byImport = await changedBy(role, { before, wanted }, async (client, id) => {
      const done = await importFile(client, fileOf(kind, given), { kind: kind.name, duplicates })
      const outcome = role.isEditor ? 'updated' : 'duplicate'
      expect(await rowsOf(client, done.id)).toMatchObject([{ outcome, recordId: id }])
    })
    expect(byImport).toEqual(byHand)
    expect(byHand).toEqual(role.isEditor ? Object.keys(wanted).sort() : [])
  })

  it('an empty cell empties nothing, with fill or update', { tags: 'slow' }, async () => {
    const { client } = await fellowOf(test)
    await importFile(client, fileOf(kind, ones), { kind: kind.name })
    const [record] = (await client.get(`/api/${kind.path}`)).body
    const blank = Object.fromEntries(fields.map(({ name }) => [name, name === 'name' ? ones.name : '']))
    for (const duplicates of ['fill', 'update'] as const) {
      const done = await importFile(client, fileOf(kind, blank), { kind: kind.name, duplicates })
      expect(done.counts).toEqual({ ...NONE, same: 1 })
    }
    expect((await client.get(`/api/${kind.path}`)).body).toEqual([record])
  })
})
