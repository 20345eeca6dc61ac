import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { type CompanyEnrichment, CompanyInput } from '#contract/company.ts'
import { type FounderEnrichment, FounderInput } from '#contract/founder.ts'
import { hashPassword } from '#server/auth/passwords.ts'
import type { Account } from '#server/auth/session.ts'
import { type CompanyRow, createCompany } from '#server/companies/store.ts'
import type { Database } from '#server/db/database.ts'
import { accounts, companies, credentials, founders, notes } from '#server/db/schema.ts'
import { createFounder, type FounderRow } from '#server/founders/store.ts'
import { createNote, type NoteRow } from '#server/notes/store.ts'
import { searchText } from '#server/records/search-text.ts'

// Each factory makes what it is asked for and whatever that needs to exist. Tests and the seed use the same ones.

export const PASSWORD = 'a long enough password'

/** Made once: most accounts of tests share their password, and a hash is meant to be slow. */
let common: Promise<string> | undefined
const commonHash = () => {
  common ??= hashPassword(PASSWORD)
  return common
}

let made = 0
const nextNumber = () => ++made

type AccountWish = Partial<Omit<Account, 'id'>> & { password?: string }

/** An account that can sign in, by default with `PASSWORD`. */
export async function makeAccount(db: Database, wish: AccountWish = {}): Promise<Account> {
  const id = uuidv7()
  const number = nextNumber()
  const account = {
    id,
    name: wish.name ?? `Fellow ${number}`,
    email: wish.email ?? `fellow-${number}-${id.slice(-6)}@mit.edu`,
    emailVerified: wish.emailVerified ?? false,
    role: wish.role ?? ('fellow' as const),
  }
  await db.insert(accounts).values(account)
  await db.insert(credentials).values({
    id: uuidv7(),
    accountId: id,
    provider: 'credential',
    providerAccount: id,
    password: await (wish.password === undefined ? commonHash() : hashPassword(wish.password)),
  })
  return account
}

type FounderWish = Partial<FounderInput> & { creator?: Account; enrichment?: FounderEnrichment; createdAt?: Date }

/** A founder; without a creator in the wish, of an account made for it. */
export async function makeFounder(
  db: Database,
  { creator, enrichment, createdAt, ...wish }: FounderWish = {},
): Promise<FounderRow> {
  const number = nextNumber()
  const input = FounderInput.parse({
    name: `Founder ${number}`,
    linkedIn: `https://www.linkedin.com/in/founder-${number}`,
    notes: `Met at demo day ${number}.`,
    ...wish,
  })
  const founder = await createFounder(db, creator ?? (await makeAccount(db)), input)
  if (enrichment === undefined && createdAt === undefined) return founder
  const known = {
    ...(createdAt && { createdAt }),
    ...(enrichment && {
      additionalInfo: JSON.stringify(enrichment),
      searchText: searchText([input.name, input.notes, enrichment.current_company ?? '']),
    }),
  }
  await db.update(founders).set(known).where(eq(founders.id, founder.id))
  return { ...founder, ...known }
}

type CompanyWish = Partial<CompanyInput> & { creator?: Account; enrichment?: CompanyEnrichment; createdAt?: Date }

/** A company; without a creator in the wish, of an account made for it. */
export async function makeCompany(
  db: Database,
  { creator, enrichment, createdAt, ...wish }: CompanyWish = {},
): Promise<CompanyRow> {
  const number = nextNumber()
  const input = CompanyInput.parse({ name: `Company ${number}`, notes: `Met at demo day ${number}.`, ...wish })
  const company = await createCompany(db, creator ?? (await makeAccount(db)), input)
  if (enrichment === undefined && createdAt === undefined) return company
  const known = {
    ...(createdAt && { createdAt }),
    ...(enrichment && { additionalInfo: JSON.stringify(enrichment) }),
  }
  await db.update(companies).set(known).where(eq(companies.id, company.id))
  return { ...company, ...known }
}

type NoteWish = { founder?: string; company?: string; author?: Account; content?: string }

/** A note on the founder or company with the id in the wish, else on a founder made for it. */
export async function makeNote(db: Database, { founder, company, author, content }: NoteWish = {}): Promise<NoteRow> {
  const parent = company
    ? { column: notes.companyId, id: company }
    : { column: notes.founderId, id: founder ?? (await makeFounder(db)).id }
  const note = await createNote(db, parent, author ?? (await makeAccount(db)), content ?? `Note ${nextNumber()}`)
  if (note === undefined) throw new Error('A note was wished for on a record that is not there')
  return note
}
