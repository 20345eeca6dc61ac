import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EXPORTED_MAX } from '#contract/export.ts'
import { type RightName, Rights } from '#contract/rights.ts'
import { rights } from './rights.ts'
import { fellowOf } from './test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from './test/test-app.ts'

let test: TestApp
let fellow: TestClient
beforeAll(async () => {
  test = await startTestApp()
  fellow = (await fellowOf(test)).client
})
afterAll(() => test.close())

const names = Object.keys(Rights.shape) as RightName[]
const getRights = async (client: TestClient): Promise<Rights> => (await client.get('/api/rights')).body
const allowedTo = async (client: TestClient) => {
  const all = await getRights(client)
  return names.filter((name) => all[name].allowed)
}

describe('The rights of the caller', () => {
  it('are those of anyone while there is no manager', async () => {
    expect(await allowedTo(fellow)).toEqual(['change', 'advance', 'exportAll'])
  })

  it('are all for a manager, and few for a fellow beside one, the others with the sentence of the refusal', async () => {
    const { client } = await fellowOf(test, { role: 'manager' })
    expect(await allowedTo(client)).toEqual(names)
    const expected = names.map((name) => [name, { allowed: false, why: rights[name].why }])
    const { exportAll, ...others } = Object.fromEntries(expected)
    expect(await getRights(fellow)).toEqual({
      ...{ ...others, change: { allowed: true } },
      exportAll: { ...exportAll, remaining: EXPORTED_MAX },
    })
  })

  it('are there for one release under the former addresses, which the API document marks as deprecated', {
    tags: 'slow',
  }, async () => {
    expect((await fellow.get('/api/export-rights')).body).toEqual({ all: false, remaining: EXPORTED_MAX })
    expect((await fellow.get('/api/pipeline-rights')).body).toEqual({ advance: false })
    const { paths } = (await fellow.get('/api/openapi.json')).body
    const deprecated = Object.keys(paths).filter((path) => paths[path].get?.deprecated)
    expect(deprecated).toEqual(['/api/export-rights', '/api/pipeline-rights'])
  })
})
