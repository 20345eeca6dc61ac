import { type SQL, sql } from 'drizzle-orm'

// What each released schema could hold, written by the SQL of its own time: each adds to what came before it. Ids are
// fixed, so that a row can be found again after any upgrade.

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const [ADA, BEN, FOUNDER, IMPORTED, COMPANY, NOTE] = [1, 2, 11, 12, 21, 31].map(id)
const HOSTILE = `O'Hara "\\" 😀 100% a_c\nsecond line`

/** By the number of the migration that made it possible. */
export const RELEASED: Record<number, SQL[]> = {
  1: [
    sql`insert into settings (key, value) values ('auth-secret', 'made once, and long enough to sign cookies')`,
    sql`insert into accounts (id, name, email, email_verified) values
      (${ADA}, ${HOSTILE}, 'ada@mit.edu', true), (${BEN}, 'Ben', 'ben@mit.edu', false)`,
    sql`insert into credentials (id, account_id, provider, provider_account, password)
      values (${id(41)}, ${ADA}, 'credential', ${ADA}, '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA')`,
    sql`insert into sessions (id, account_id, token, expires_at)
      values (${id(51)}, ${ADA}, 'a hash', '2030-01-01 00:00:00.123+00')`,
    sql`insert into founders (id, name, linked_in, notes, rating, creator_id, additional_info, search_text, created_at)
      values (${FOUNDER}, ${HOSTILE}, 'https://www.linkedin.com/in/x', ${HOSTILE}, 10, ${ADA}, '{"bio":"b"}',
        ${HOSTILE.toLowerCase()}, '2024-02-29 12:00:00.001+00')`,
    sql`insert into founders (id, name, linked_in, notes, rating, creator_text, search_text, version)
      values (${IMPORTED}, 'Imported', 'x', 'n', 1, 'ADA@mit.edu', 'imported', 7)`,
  ],
  2: [
    sql`insert into companies (id, name, website, notes, rating, creator_id, search_text)
      values (${COMPANY}, ${HOSTILE}, 'https://x.example', 'n', 5, ${BEN}, 'x')`,
  ],
  3: [
    sql`insert into notes (id, founder_id, author_id, content) values (${NOTE}, ${FOUNDER}, ${BEN}, ${HOSTILE})`,
    sql`insert into notes (id, company_id, author_id, content) values (${id(32)}, ${COMPANY}, ${ADA}, 'On a company')`,
  ],
  4: [],
  5: [
    sql`update founders set linked_in_key = 'x', enrichment = '{"last":{"at":"2024-01-01","found":["bio"]}}'
      where id = ${FOUNDER}`,
    sql`insert into pictures (founder_id, size, bytes, fetched_at) values (${FOUNDER}, 56, '\\x00ff'::bytea, now())`,
    sql`insert into provider_rests (provider, reason, until) values ('apollo', 'credits', now())`,
  ],
  6: [sql`update accounts set email_verified = true where id = ${BEN}`],
  13: [
    sql`insert into denied_requests (account_email, ip, action, detail)
      values ('stranger@mit.edu', '192.0.2.1', 'login', '{"status":401}')`,
  ],
  14: [
    sql`insert into accounts (id, name, email, role, pending_since, disabled_at, readmitted_at)
      values (${id(3)}, 'Eve', 'e.ve+x@mit.edu', 'manager', now(), now(), now())`,
    sql`insert into invitations (id, hash, email, expires_at) values (${id(61)}, 'a hash', 'guest@mit.edu', now())`,
  ],
}
