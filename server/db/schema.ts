// The tables as queries see them. The migrations create them, and a test compares the two.

export * from './schema/accounts.ts'
export * from './schema/audit-log.ts'
export * from './schema/bulk.ts'
export type { Facts } from './schema/columns.ts'
export * from './schema/digests.ts'
export * from './schema/imports.ts'
export * from './schema/inbox.ts'
export * from './schema/ledger.ts'
export * from './schema/pipeline.ts'
export * from './schema/records.ts'
export * from './schema/searches.ts'
export * from './schema/tags.ts'
