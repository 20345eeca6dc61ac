import { customType, timestamp } from 'drizzle-orm/pg-core'

/** Values by field name. */
export type Facts = Record<string, unknown>

export const bytea = customType<{ data: Buffer; driverData: Uint8Array }>({
  dataType: () => 'bytea',
  fromDriver: (bytes) => Buffer.from(bytes),
})

/** The number of a transaction, as text. */
export const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' })

export const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

export const at = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
