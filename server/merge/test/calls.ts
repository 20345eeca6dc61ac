import type { TestClient } from '#server/test/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
export type Row = any

const bodyOf = (survivor: Row, duplicate: Row, choices: object) => ({
  survivorId: survivor.id,
  duplicateId: duplicate.id,
  versions: { [survivor.id]: survivor.version, [duplicate.id]: duplicate.version },
  choices,
})

/** Merges two records as they were loaded. */
export const merge = (client: TestClient, survivor: Row, duplicate: Row, choices: object = {}) =>
  client.post('/api/records/merge', bodyOf(survivor, duplicate, choices))

export const preview = (client: TestClient, survivor: Row, duplicate: Row, choices: object = {}) =>
  client.post('/api/records/merge/preview', bodyOf(survivor, duplicate, choices))

export const undo = (client: TestClient, mergeId: string) => client.post(`/api/merges/${mergeId}/undo`, {})
