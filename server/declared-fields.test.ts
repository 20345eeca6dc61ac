import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Field, fileFields, keyOf, storedFields } from '#contract/fields.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { saveFindings } from '#server/enrichment/store.ts'
import { merge, preview, type Row, undo } from '#server/merge/test/calls.ts'
import { infoText } from '#server/records/fields.ts'
import { KINDS, valueIn } from '#server/test/declared-values.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

// Every declared field of every kind goes through all parts of the product that read the declaration. Files are tested in
// `import/targets/declared-files.test.ts`. A further part of the product is one more `it` in the loop at the end.

/** A value with a column, or in the public data. A field may have both. */
type Place = { kind: EnrichedKind; field: Field; key: string; isColumn: boolean; one: unknown; other: unknown }

const PLACES: Place[] = KINDS.flatMap(({ kind, values }) =>
  storedFields(kind.fields).flatMap((field) => {
    const key = keyOf(field)
    const [one, other] = values[key] ?? []
    const places = [...(field.isColumn ? [true] : []), ...(field.info ? [false] : [])]
    return places.map((isColumn) => ({ kind, field, key, isColumn, one, other }))
  }),
)

let test: TestApp
let client: TestClient
beforeAll(async () => {
  test = await startTestApp()
  ;({ client } = await fellowOf(test))
})
afterAll(() => test.close())

const pathOf = ({ kind }: Place) => `/api/${kind.path}`
const get = async (place: Place, id: string): Promise<Row> => (await client.get(`${pathOf(place)}/${id}`)).body

let made = 0
/** A record with this value: typed where people can, else found by enrichment. Without a value, it has what it must. */
async function make(place: Place, value?: unknown): Promise<Row> {
  const { kind, field, key, isColumn } = place
  made += 1
  const required = kind.fields.filter(({ rule }) => rule?.isRequired)
  const input = {
    ...{ name: 'Plain', notes: 'Plain note' },
    ...Object.fromEntries(required.map(({ name }) => [name, `https://www.linkedin.com/in/n${made}`])),
  }
  const isTyped = value !== undefined && isColumn && field.editableBy.includes('create')
  const { status, body } = await client.post(pathOf(place), { ...input, ...(isTyped && { [field.name]: value }) })
  expect([status, body.error]).toEqual([201, undefined])
  if (value !== undefined && !isTyped) {
    const state = { sources: { [key]: { provider: 'harmonic', at: new Date().toISOString() } } }
    await saveFindings(test.db, kind, body.id, { findings: { [key]: value }, state })
  }
  return get(place, body.id)
}

const isSearchable = ({ field }: Place) => field.searched !== undefined
const finds = async (place: Place, value: unknown, id: string): Promise<boolean> => {
  const query = new URLSearchParams({ search: String(infoText(value)), limit: '500' })
  return (await client.get(`${pathOf(place)}?${query}`)).body.some((record: Row) => record.id === id)
}
const expectSearch = async (place: Place, value: unknown, id: string) =>
  expect(await finds(place, value, id)).toBe(isSearchable(place))

describe('The declaration', () => {
  it.each(KINDS)('has two test values for every field of $kind.name', ({ kind, values }) => {
    expect(Object.keys(values).sort()).toEqual(storedFields(kind.fields).map(keyOf).sort())
  })

  it.each(KINDS)('numbers the searched fields of $kind.name without a gap', ({ kind }) => {
    const numbers = kind.fields.flatMap(({ searched }) => searched ?? [])
    expect(numbers.sort()).toEqual(numbers.map((_, index) => index + 1))
  })

  it('gives each column of files to one field, in all kinds', () => {
    const columns = KINDS.flatMap(({ kind }) => fileFields(kind.fields)).map(({ file, name }) => `${file} ${name}`)
    const different = [...new Set(columns)]
    expect(new Set(different.map((column) => column.split(' ')[0])).size).toBe(different.length)
    expect(new Set(different.map((column) => column.split(' ')[1])).size).toBe(different.length)
  })
})

const titled = PLACES.map((place) => ({
  ...place,
  title: `${place.field.label} of a ${place.kind.name}${place.isColumn ? '' : ', in the public data'}`,
}))

describe.each(titled)('The $title', (place) => {
  const { field, key, one, other } = place

  it('is in the record that was created with it', async () => {
    const record = await make(place, one)
    expect(valueIn(place, record)).toEqual(one)
    await expectSearch(place, one, record.id)
  })

  it('is changed by PUT where the declaration says so, and only there', async () => {
    const { id, version } = await make(place, one)
    const { status, body } = await client.put(`${pathOf(place)}/${id}`, { [field.name]: other, version })
    expect([status, body.error]).toEqual([200, undefined])
    const isChanged = place.isColumn && field.editableBy.includes('put')
    expect(valueIn(place, body)).toEqual(isChanged ? other : one)
    await expectSearch(place, isChanged ? other : one, id)
    if (isChanged) expect(await finds(place, one, id)).toBe(false)
  })

  it('is changed by PATCH where the declaration says so, and only there, and emptied where it may be', {
    tags: 'slow',
  }, async () => {
    const { id, version } = await make(place, one)
    const patch = (value: unknown, at: number) =>
      client.patch(`${pathOf(place)}/${id}`, {
        [field.name]: typeof value === 'object' ? infoText(value) : value,
        version: at,
      })
    const { status, body } = await patch(other, version)
    expect([status, body.error]).toEqual([200, undefined])
    // A value that is typed and found is typed by a correction.
    const isCorrected = field.editableBy.includes('patch') && place.isColumn === (field.isColumn === true)
    expect(valueIn(place, body)).toEqual(isCorrected ? other : one)
    await expectSearch(place, isCorrected ? other : one, id)
    if (!isCorrected) return
    expect(await finds(place, one, id)).toBe(false)
    const entries = (await client.get(`${pathOf(place)}/${id}/history`)).body
    const shown = (value: unknown) => (typeof value === 'object' ? infoText(value) : value)
    expect(entries[0]).toMatchObject({
      action: 'update',
      changes: [{ field: key, before: shown(one), after: shown(other) }],
    })
    expect(entries[0].changes[0].source).toBeUndefined()
    const source = body.enrichment.sources[key]?.provider
    expect(source).toBe(place.isColumn ? undefined : 'person')

    const emptied = await patch('', body.version)
    const mustHave = field.name === 'name' || field.rule?.isRequired === true
    expect([emptied.status, field.name in (emptied.body.fields ?? {})]).toEqual(mustHave ? [400, true] : [200, false])
    if (mustHave) return
    expect(valueIn(place, emptied.body)).toBeNull()
    expect(emptied.body.enrichment.sources).not.toHaveProperty(key)
    expect(await finds(place, other, id)).toBe(false)
  })

  it('is in the history', async () => {
    const { id } = await make(place, one)
    const entries = (await client.get(`${pathOf(place)}/${id}/history`)).body
    const after = typeof one === 'object' ? infoText(one) : one
    expect(entries.flatMap((entry: Row) => entry.changes)).toContainEqual(
      expect.objectContaining({ field: key, before: null, after }),
    )
  })

  it.each([
    ['the survivor’s', 'survivor'],
    ['the duplicate’s', 'duplicate'],
    ['the proposed one', undefined],
    ...(field.name === 'notes' ? [['both', 'both'] as const] : []),
  ] as const)(
    'is merged as chosen (%s), as previewed, and comes back by the undo',
    { tags: 'slow' },
    async (_which, choice) => {
      const [survivor, duplicate] = [await make(place, one), await make(place, other)]
      const chosen = choice === undefined ? {} : { [key]: choice }
      const { differences, proposed, record } = (await preview(client, survivor, duplicate, chosen)).body
      expect(differences).toContainEqual({ field: key, survivor: infoText(one), duplicate: infoText(other) })

      const merged = await merge(client, survivor, duplicate, { ...proposed, ...chosen })
      expect([merged.status, merged.body.error]).toEqual([200, undefined])
      expect(merged.body.record).toEqual(record)
      const taken = choice ?? proposed[key]
      const expected = { survivor: one, duplicate: other, both: `${one}\n\n${other}` }[taken as 'both']
      expect(valueIn(place, merged.body.record)).toEqual(expected)
      await expectSearch(place, expected, survivor.id)

      const undone = await undo(client, merged.body.mergeId)
      expect(undone.body.keptOnSurvivor).toEqual([])
      expect(undone.body.records.map((record: Row) => valueIn(place, record))).toEqual([one, other])
      await expectSearch(place, one, survivor.id)
      await expectSearch(place, other, duplicate.id)
    },
  )

  it('is taken over by a record without it', { tags: 'slow' }, async () => {
    const [survivor, duplicate] = [await make(place), await make(place, other)]
    if (valueIn(place, survivor) !== null) return
    const { body } = await merge(client, survivor, duplicate)
    expect(valueIn(place, body.record)).toEqual(other)
    await expectSearch(place, other, survivor.id)
    const undone = await undo(client, body.mergeId)
    expect(undone.body.records.map((record: Row) => valueIn(place, record))).toEqual([null, other])
    expect(await finds(place, other, survivor.id)).toBe(false)
  })
})
