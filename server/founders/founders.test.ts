import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '#server/test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await startTestApp()
})
afterAll(() => test.close())

describe('smoke', () => {
  it('answers 401', async () => {
    expect((await test.visitor().get('/api/founders')).status).toBe(401)
  })
})
