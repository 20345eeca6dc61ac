import { describe, expect, it } from 'vitest'
import { editableFields, infoFields, keyOf, storedFields } from '#contract/fields.ts'
import { records } from '#server/db/schema.ts'
import type { EnrichedKind } from '#server/enrichment/kind.ts'
import { act, createEmptyApp, csv, importFile, NONE, rowsOf } from '#server/import/test/import-file.ts'
import { kindHeaders } from '#server/kind-headers.ts'
import { infoText } from '#server/records/fields.ts'
import { changeRecord } from '#server/records/write/write.ts'
import { KINDS, valueIn } from '#server/test/declared-values.ts'
import { fellowOf } from '#server/test/fellow.ts'
import type { TestClient } from '#server/test/test-app.ts'

// Every declared field of files goes through imports, their revert, and exports.

const test = createEmptyApp()

type Values = Record<string, unknown>

const filled = ({ fileFields }: EnrichedKind) => storedFields(fileFields)

/** The first or the second test values, by the names of the fields. */
const valuesAt = (kind: EnrichedKind, values: Record<string, [unknown, unknown]>, at: 0 | 1): Values =>
  Object.fromEntries(filled(kind).map((field) => [field.name, values[keyOf(field)]?.[at]]))

/** A file with a column for each of these values. */
const fileOf = (kind: EnrichedKind, values: Values) =>
  csv(
    Object.keys(values)
      .map((name) => kindHeaders[kind.name].columns[name]?.[0])
      .join(),
    Object.values(values).map(infoText).join(),
  )

/** The values of a record on the wire; null for those that it does not have. */
async function stored(client: TestClient, kind: EnrichedKind, id: string): Promise<Values> {
  const record = (await client.get(`/api/${kind.path}/${id}`)).body
  return Object.fromEntries(
    filled(kind).map((field) => [field.name, valueIn({ field, isColumn: field.isColumn === true }, record)]),
  )
}

const without = (kind: EnrichedKind): Values => Object.fromEntries(filled(kind).map(({ name }) => [name, null]))

/** These values, as far as an import may change them; the others as before. */
const changeable = (kind: EnrichedKind, before: Values, after: Values): Values => ({
  ...before,
  ...Object.fromEntries(editableFields(filled(kind), 'put', 'patch').map(({ name }) => [name, after[name]])),
})

describe.each(KINDS)('Every declared field of files of $kind.path', ({ kind, values }) => {
  const [ones, others] = [valuesAt(kind, values, 0), valuesAt(kind, values, 1)]
  const add = async (client: TestClient, file: string, name?: string): Promise<string> => {
    const { id, counts } = await importFile(client, file, { kind: kind.name }, name)
    expect(counts).toEqual({ ...NONE, created: 1 })
    return (await rowsOf(client, id))[0]?.recordId as string
  }
  const finds = async (client: TestClient, id: string, shown: Values) => {
    for (const { name, searched } of kind.fileFields) {
      if (searched === undefined || shown[name] === null) continue
      const { body } = await client.get(`/api/${kind.path}?${new URLSearchParams({ search: infoText(shown[name]) })}`)
      expect([name, body.map((record: { id: string }) => record.id)]).toEqual([name, [id]])
    }
  }

  it('is imported', async () => {
    const { client } = await fellowOf(test)
    const id = await add(client, fileOf(kind, ones))
    expect(await stored(client, kind, id)).toEqual(ones)
    await finds(client, id, ones)
  })

  it.each(['fill', 'update'] as const)(
    'is changed by an import that may (%s), and restored by its revert',
    async (choice) => {
      const { client } = await fellowOf(test)
      // A record is filled that has a name alone, and one is updated that has the same address. A host alone is not certain.
      const identity = kind.matching.isProfileEnough ? [kind.lookup.field] : ['name', 'linkedIn', kind.lookup.field]
      const sameOne = Object.fromEntries(identity.map((name) => [name, ones[name]]))
      const before = choice === 'fill' ? { ...without(kind), name: ones.name } : ones
      const given = choice === 'fill' ? ones : { ...others, ...sameOne }
      const id = await add(client, fileOf(kind, choice === 'fill' ? { name: ones.name } : before))
      const done = await importFile(client, fileOf(kind, given), { kind: kind.name, duplicates: choice })
      expect(done.counts).toEqual({ ...NONE, updated: 1 })
      const after = changeable(kind, before, given)
      expect(await stored(client, kind, id)).toEqual(after)
      await finds(client, id, after)
      expect((await act(client, done.id, 'revert')).counts).toEqual({ ...NONE, reverted: 1 })
      expect(await stored(client, kind, id)).toEqual(before)
      await finds(client, id, before)
    },
  )

  it.each(['csv', 'jsonl'] as const)('is exported as %s, and comes back from that file', async (format) => {
    const { client } = await fellowOf(test, { role: 'manager' })
    const id = await add(client, fileOf(kind, ones))
    const others = infoFields(kind.fields).filter(({ file }) => file === undefined)
    const set = Object.fromEntries(others.map(({ info }) => [info, values[info]?.[0]]))
    await changeRecord(test.db, kind, id, { facts: { set } })
    const { text } = await client.get(`/api/${kind.path}/export?format=${format}`)
    const [header, line] = text.replace('\ufeff', '').split(/\r?\n/)
    const cells = line?.split(',')
    const exported =
      format === 'csv'
        ? Object.fromEntries(header?.split(',').map((name, at) => [name, cells?.[at]]) ?? [])
        : JSON.parse(header ?? '')
    for (const { name } of filled(kind)) expect([name, String(exported[name])]).toEqual([name, infoText(ones[name])])
    await test.db.delete(records)
    const back = await add(client, text, `records.${format}`)
    expect(await stored(client, kind, back)).toEqual(ones)
    const { body } = await client.get(`/api/${kind.path}/${back}`)
    for (const field of others) {
      const isKept = format === 'jsonl' && field.content !== 'picture'
      expect([field.name, valueIn({ field, isColumn: false }, body)]).toEqual([
        field.name,
        isKept ? set[field.info] : null,
      ])
    }
  })
})
