import type { TestClient } from '#server/test/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
export type Row = any

/** Merges two records as they were loaded. */
export const merge = (client: TestClient, survivor: Row, duplicate: Row, choices: object = {}) =>
  client.post('/api/records/merge', {
    survivorId: survivor.id,
    duplicateId: duplicate.id,
    versions: { [survivor.id]: survivor.version, [duplicate.id]: duplicate.version },
    choices,
  })

export const undo = (client: TestClient, mergeId: string) => client.post(`/api/merges/${mergeId}/undo`, {})
