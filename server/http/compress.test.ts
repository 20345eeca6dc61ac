import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('Long responses', () => {
  const ask = (accepted?: string) =>
    test.app.inject({
      url: '/api/openapi.json',
      headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
    })

  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
  ])('are compressed for a client that accepts %s', { tags: 'slow' }, async (accepted, encoding, plain) => {
    const answer = await ask(accepted)
    expect(answer.headers['content-encoding']).toBe(encoding)
    expect(answer.headers.vary).toBe('accept-encoding')
    expect(answer.headers['content-length']).toBe(String(answer.rawPayload.length))
    expect(JSON.parse(plain(answer.rawPayload).toString())).toEqual((await ask()).json())
  })

  it.each([[undefined], ['identity'], ['br;q=0']])(
    'are not compressed for a client that accepts %s',
    async (accepted) => {
      const answer = await ask(accepted)
      expect(answer.headers['content-encoding']).toBeUndefined()
      expect(answer.headers.vary).toBe('accept-encoding')
      expect(answer.json()).toHaveProperty('openapi')
    },
  )
})

describe('Short responses', () => {
  it('are not compressed', async () => {
    const answer = await test.app.inject({ url: '/api/auth/me', headers: { 'accept-encoding': 'br' } })
    expect(answer.headers['content-encoding']).toBeUndefined()
  })
})
