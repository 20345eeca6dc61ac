import { afterAll, beforeAll, expect } from 'vitest'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

/** The parameters of one kind for the tests that all kinds share. */
export type RecordKind = {
  /** Its path, such as `/api/founders`. */
  path: string
  /** A valid body of `POST`, with a name and own notes. */
  input: Record<string, unknown> & { name: string; notes: string }
  make: (db: Database, overrides: { creator: Account; name?: string; notes?: string }) => Promise<{ id: string }>
  /** A record with an imported creator, as text. */
  makeImported: (db: Database, creatorText: string) => Promise<{ id: string }>
}

/** An app for the tests of one kind, with their actions. */
export function recordWorld({ path, input }: RecordKind) {
  let test: TestApp
  beforeAll(async () => {
    test = await startTestApp()
  })
  afterAll(() => test.close())
  return {
    /** The app, once it has started. */
    test: () => test,
    fellow: (overrides: Parameters<typeof fellowOf>[1] = {}) => fellowOf(test, overrides),
    create: async (client: TestClient, overrides: Record<string, unknown> = {}) => {
      const answer = await client.post(path, { ...input, ...overrides })
      expect(answer.status).toBe(201)
      return answer.body
    },
  }
}

export type RecordWorld = ReturnType<typeof recordWorld>
