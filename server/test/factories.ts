import { hashSync } from '@node-rs/argon2'
import { v7 as uuidv7 } from 'uuid'
import type { Role } from '#contract/auth.ts'
import { type CompanyEnrichment, CompanyInput } from '#contract/company.ts'
import { type FounderEnrichment, FounderInput } from '#contract/founder.ts'
import type { KindName } from '#contract/kinds.ts'
import type { Account } from '#server/auth/sessions/session.ts'
import { hashPassword } from '#server/auth/sign-in/passwords.ts'
import { companyKind } from '#server/companies/kind.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, credentials, type Facts, imports, savedSearches, searchWatches } from '#server/db/schema.ts'
import { founderKind } from '#server/founders/kind.ts'
import { createNote, type NoteRow } from '#server/notes/store.ts'
import type { Fields, RecordKind } from '#server/records/kind.ts'
import type { OwnRow } from '#server/records/write/own-columns.ts'
import { changeRecord, createRecord } from '#server/records/write/write.ts'

// Each factory creates one row and the rows that it depends on. Tests and the seed share them.

export const PASSWORD = 'a long enough password'

/**
 * A hash of `PASSWORD` that is quick to check, because tests sign in thousands of times. Accounts with another password
 * get the product's slow hash.
 */
const COMMON_HASH = hashSync(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })

let made = 0
const nextNumber = () => ++made

type AccountOverrides = Partial<Omit<Account, 'id' | 'role' | 'token'>> & { role?: Role; password?: string }

/** An account that can sign in, by default with `PASSWORD`. */
export async function makeAccount(db: Database, overrides: AccountOverrides = {}): Promise<Account> {
  const id = uuidv7()
  const number = nextNumber()
  const account = {
    id,
    name: overrides.name ?? `Fellow ${number}`,
    email: overrides.email ?? `fellow-${number}-${id.slice(-6)}@mit.edu`,
    emailVerified: overrides.emailVerified ?? false,
    role: overrides.role ?? ('fellow' as const),
  }
  await db.insert(accounts).values(account)
  await db.insert(credentials).values({
    id: uuidv7(),
    accountId: id,
    provider: 'credential',
    providerAccount: id,
    password: await (overrides.password === undefined ? COMMON_HASH : hashPassword(overrides.password)),
  })
  return account
}

type RecordOverrides = { creator?: Account; createdAt?: Date }

async function makeRecord<Input extends Fields>(
  db: Database,
  kind: RecordKind<Input>,
  input: Input,
  { creator, createdAt, enrichment }: RecordOverrides & { enrichment?: Facts | undefined },
): Promise<OwnRow> {
  const record = await createRecord(db, kind, creator ?? (await makeAccount(db)), input)
  if (enrichment === undefined && createdAt === undefined) return record
  const time = createdAt && { createdAt }
  await changeRecord(db, kind, record.id, { ...time, ...(enrichment && { facts: { set: enrichment } }) })
  return { ...record, ...time, ...(enrichment && { additionalInfo: enrichment }) }
}

type FounderOverrides = Partial<FounderInput> & RecordOverrides & { enrichment?: FounderEnrichment }

/** A founder; without a creator in the overrides, by a new account. */
export function makeFounder(
  db: Database,
  { creator, enrichment, createdAt, ...overrides }: FounderOverrides = {},
): Promise<OwnRow> {
  const number = nextNumber()
  const input = FounderInput.parse({
    name: `Founder ${number}`,
    linkedIn: `https://www.linkedin.com/in/founder-${number}`,
    notes: `Met at demo day ${number}.`,
    ...overrides,
  })
  return makeRecord(db, founderKind, input, {
    ...(creator && { creator }),
    ...(createdAt && { createdAt }),
    enrichment,
  })
}

type CompanyOverrides = Partial<CompanyInput> & RecordOverrides & { enrichment?: CompanyEnrichment }

/** A company; without a creator in the overrides, by a new account. */
export function makeCompany(
  db: Database,
  { creator, enrichment, createdAt, ...overrides }: CompanyOverrides = {},
): Promise<OwnRow> {
  const number = nextNumber()
  const input = CompanyInput.parse({ name: `Company ${number}`, notes: `Met at demo day ${number}.`, ...overrides })
  return makeRecord(db, companyKind, input, {
    ...(creator && { creator }),
    ...(createdAt && { createdAt }),
    enrichment,
  })
}

/** The factory of a kind. */
export const factoryOf = (kind: KindName) => (kind === 'founder' ? makeFounder : makeCompany)

type NoteOverrides = { founder?: string; company?: string; author?: Account; content?: string }

/** A note on the founder or company with the id in the overrides, else on a new founder. */
export async function makeNote(
  db: Database,
  { founder, company, author, content }: NoteOverrides = {},
): Promise<NoteRow> {
  const parent = company
    ? { kind: companyKind, id: company }
    : { kind: founderKind, id: founder ?? (await makeFounder(db)).id }
  const note = await createNote(db, parent, author ?? (await makeAccount(db)), {
    content: content ?? `Note ${nextNumber()}`,
  })
  if (note === undefined) throw new Error('Cannot add a note to a missing record')
  return note
}

/** An import that has read a file without rows. */
export async function makeImport(db: Database, { importer }: { importer: Account }): Promise<{ id: string }> {
  const id = uuidv7()
  const dialect = { format: 'csv', encoding: 'utf-8', separator: ',', headerRow: 1 } as const
  const file = { fileName: 'people.csv', dialect, columns: ['Name'], mapping: { name: 0 } }
  await db.insert(imports).values({ ...file, id, accountId: importer.id, state: 'ready', kind: 'founder' })
  return { id }
}

/** A search for all founders, which this account watches. */
export async function makeWatchedSearch(db: Database, { id: accountId }: Account): Promise<{ id: string }> {
  const id = uuidv7()
  const search = { name: 'All', kind: 'founder', query: {}, isShared: false, isPinned: false } as const
  await db.insert(savedSearches).values({ ...search, id, accountId })
  await db.insert(searchWatches).values({ accountId, searchId: id, seenUntil: new Date() })
  return { id }
}
