import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { act, csv, importFile } from '#server/import/test/import-file.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('An import of many rows', () => {
  it('notifies open pages of its kind once a second and at its end, not for each row', { tags: 'slow' }, async () => {
    const events: string[] = []
    const stop = await test.database.listen(
      { records: (event) => void (event.includes('people') || events.push(event)) },
      () => {},
    )
    const { client } = await fellowOf(test)
    const rows = Array.from({ length: 120 }, (_, row) => `${(row * 7919).toString(36)}v ${row.toString(26)}z`)
    const began = Date.now()
    const { id } = await importFile(client, csv('Name', ...rows))
    const seconds = (Date.now() - began) / 1_000
    await expect.poll(() => events.length).toBeGreaterThan(0)
    expect(new Set(events)).toEqual(new Set(['{"kind":"founder","change":"created"}']))
    expect(events.length).toBeLessThanOrEqual(Math.ceil(seconds) + 2)
    events.length = 0
    await act(client, id, 'revert')
    await expect.poll(() => events).toContain('{"kind":"founder","change":"deleted"}')
    expect(new Set(events).size).toBe(1)
    await stop()
  })
})
