import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '#server/ops/settings.ts'
import { makeFounder } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'
import { records } from './records.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

const operate = async (...args: string[]) => {
  const lines: string[] = []
  const { database, db } = test
  const caller = { folder: '.', signal: new AbortController().signal, out: (line: string) => void lines.push(line) }
  const code = await records.run({ database, db, settings: readSettings({}), ...caller }, args)
  return { code, lines }
}

describe('The operator', () => {
  it('lists deleted records in 80 columns, and brings one back', async () => {
    expect((await operate('deleted')).lines).toEqual(['No record was deleted in the last 30 days.'])
    const { client, account } = await fellowOf(test, { name: `Ada\u0007${' Long'.repeat(10)}` })
    const { id } = await makeFounder(test.db, { creator: account, name: `Vic ${'Vale '.repeat(30)}` })
    await client.delete(`/api/founders/${id}`)
    const { lines } = await operate('deleted')
    expect(lines[0]).toBe(`founder ${id}`)
    expect(lines.join(' ')).toMatch(/Vic Vale.* deleted .* by Ada Long/)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(JSON.parse((await operate('deleted', '--json')).lines.join(''))).toMatchObject([{ id, kind: 'founder' }])
    expect(await operate('restore', id)).toEqual({ code: 0, lines: ['The founder is back, with everything of it.'] })
    expect((await client.get(`/api/founders/${id}`)).status).toBe(200)
  })

  it('gets a clear sentence for an id that is none, or of no deleted record', async () => {
    await expect(operate('restore', 'x\u0007')).rejects.toThrow('"x" is not an id.')
    await expect(operate('restore', '01a20e2e-0824-70ac-ab4a-74d6ea44a74d')).rejects.toThrow(
      'There is no deleted record',
    )
    expect((await operate('restore')).code).toBe(2)
    expect((await operate('delete')).code).toBe(2)
  })
})
