import { type SQL, sql } from 'drizzle-orm'
import type { OpenDatabase } from '#server/db/database.ts'
import { migrateTables, readMigrations } from '#server/db/migrate.ts'
import { openBareDatabase } from '#server/test/test-database.ts'

// The data that each released schema can hold, as SQL of its time, and what triggers derived from it then. Only today's
// triggers exist, and they are for today's tables. Each world adds to the previous one. Fixed ids make every row
// identifiable after any upgrade.

const id = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const [ADA, BEN, FOUNDER, IMPORTED, MERGED, COMPANY, NOTE, IMPORT] = [1, 2, 11, 12, 13, 21, 31, 71].map(id)
const HOSTILE = `O'Hara "\\" 😀 100% a_c\nWeiß’s “Jean‑Luc\u00ad”`
/** As before schema 51. */
const FOLDED = HOSTILE.normalize('NFKC').toLowerCase()

/** By the number of the migration that allows it. */
const RELEASED: Record<number, SQL[]> = {
  15: [
    // Without it, later migrations would change texts without their grams.
    sql.raw(`create function set_search_grams() returns trigger language plpgsql as $$ begin
      new.search_grams := search_grams(new.search_text); return new; end $$`),
    sql`create trigger records_search_grams before insert or update of search_text on records
      for each row execute function set_search_grams()`,
    sql`insert into settings (key, value) values ('auth-secret', 'made once, and long enough to sign cookies')`,
    sql`insert into accounts (id, name, email, email_verified, disabled_at) values
      (${ADA}, ${HOSTILE}, 'ada@mit.edu', true, null), (${BEN}, 'Ben', 'ben@mit.edu', true, '2024-05-05 00:00:00+00')`,
    sql`insert into accounts (id, name, email, role, pending_since, disabled_at, readmitted_at)
      values (${id(3)}, 'Eve', 'e.ve+x@mit.edu', 'manager', now(), now(), now())`,
    sql`insert into credentials (id, account_id, provider, provider_account, password)
      values (${id(41)}, ${ADA}, 'credential', ${ADA}, '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA')`,
    sql`insert into sessions (id, account_id, token, expires_at)
      values (${id(51)}, ${ADA}, 'a hash', '2030-01-01 00:00:00.123+00')`,
    sql`insert into one_time_tokens (hash, purpose, account_id, expires_at)
      values ('hash', 'reset', ${ADA}, '2030-01-01 00:00:00+00')`,
    sql`insert into two_factors (account_id, secret, last_step, confirmed_at) values (${ADA}, 'sealed', 123, now())`,
    sql`insert into recovery_codes (account_id, hash) values (${ADA}, 'one'), (${ADA}, 'other')`,
    sql`insert into invitations (id, hash, email, expires_at) values (${id(61)}, 'a hash', 'guest@mit.edu', now())`,
    sql`insert into attempts (key, count, forget_at) values ('password:ada@mit.edu', 3, '2030-01-01 00:00:00+00')`,
    sql`insert into records (id, kind, name, linked_in, linked_in_key, notes, rating, creator_id, additional_info,
        enrichment, search_text, created_at, version, notes_count)
      values (${FOUNDER}, 'founder', ${HOSTILE}, 'https://www.linkedin.com/in/x', 'x', ${HOSTILE}, 9, ${ADA}, '{"bio":"b"}',
        '{"last":{"at":"2024-01-01","found":["bio"]}}', ${`${FOLDED}\x1f${FOLDED}\x1f`}, '2024-02-29 12:00:00.001+00', 2, 1)`,
    sql`insert into records (id, kind, name, linked_in, notes, rating, creator_text, search_text, version, additional_info)
      values (${IMPORTED}, 'founder', 'Imported', 'x', 'n', 1, 'ADA@mit.edu', ${'imported\x1fn\x1f'}, 7, '"No JSON at all"')`,
    sql`insert into records (id, kind, name, website, domain_key, description, notes, rating, creator_id, search_text,
        notes_count)
      values (${COMPANY}, 'company', ${HOSTILE}, 'https://x.example', 'x.example', ${HOSTILE}, 'n', 5, ${BEN},
        ${`${FOLDED}\x1fn`}, 1)`,
    sql`insert into notes (id, record_id, kind, author_id, content) values
      (${NOTE}, ${FOUNDER}, 'founder', ${BEN}, ${HOSTILE}), (${id(32)}, ${COMPANY}, 'company', ${ADA}, 'On a company')`,
    sql`insert into pictures (record_id, kind, size, bytes, fetched_at)
      values (${FOUNDER}, 'founder', 56, '\\x00ff'::bytea, now())`,
    sql`insert into provider_cooldowns (provider, reason, until) values ('apollo', 'credits', now())`,
    sql`insert into record_members (record_id, kind, account_id, created_at, is_owner, notes_count)
      select id, kind, coalesce(creator_id, ${ADA}), created_at, true, 0 from records`,
    sql`insert into record_members (record_id, kind, account_id, created_at, notes_count)
      select record_id, notes.kind, author_id, records.created_at, 1 from notes join records on records.id = record_id`,
    sql`insert into counters (creator_id, creator_text, kind, added, mine) values
      (${ADA}, null, 'founder', 1, 2), (${ADA}, null, 'company', 0, 1), (${BEN}, null, 'founder', 0, 1),
      (${BEN}, null, 'company', 1, 1), (null, 'ADA@mit.edu', 'founder', 1, 0)`,
    sql`insert into audit_log (action, kind, object_id, before, after, detail)
      values ('update', 'founder', ${FOUNDER}, '{"rating":10}', '{"rating":9}', '{"databaseUser":"postgres"}')`,
    sql`insert into audit_log (account_id, account_email, ip, request_id, action, kind, result, detail)
      values (${ADA}, 'ada@mit.edu', '10.0.0.1', 'r', 'login', 'account', 'refused', '{"why":"password"}')`,
    sql`insert into denied_requests (account_email, ip, action, detail)
      values ('stranger@mit.edu', '192.0.2.1', 'login', '{"status":401}')`,
    sql`insert into idempotency_keys (account_id, key, fingerprint, made_id)
      values (${ADA}, 'key', 'print', ${FOUNDER})`,
  ],
  16: [
    sql`insert into finders (record_id, account_id, via) values (${FOUNDER}, ${BEN}, 'self')`,
    sql`update record_members set is_finder = true where record_id = ${FOUNDER} and account_id = ${BEN}`,
    sql`insert into records (id, kind, name, linked_in, notes, rating, creator_id, search_text, search_grams, merged_into)
      values (${MERGED}, 'merged-founder', 'Merged', 'x', 'n', 1, ${BEN}, ${'merged\x1fn\x1f'}, search_grams(${'merged\x1fn\x1f'}),
        ${FOUNDER})`,
    sql`insert into merges (id, kind, survivor_id, duplicate_id, account_id, before, after, note_ids, swaps_finder)
      values (${id(81)}, 'founder', ${FOUNDER}, ${MERGED}, ${ADA}, '{}', '{}', ${`{${NOTE}}`}, false)`,
  ],
  17: [
    sql`insert into imports (id, account_id, file_name, state, kind, dialect, columns, mapping, started_at)
      values (${IMPORT}, ${ADA}, ${HOSTILE}, 'done', 'founder',
        '{"format":"csv","encoding":"utf-8","separator":",","headerRow":1}', '["Name"]', '{"name":0}', now())`,
    sql`insert into import_files (import_id, piece, bytes) values (${IMPORT}, 0, '\\x00ff'::bytea)`,
    sql`insert into import_rows (import_id, row, cells, outcome, record_id)
      values (${IMPORT}, 2, '["Imported"]', 'created', ${IMPORTED})`,
    sql`insert into notes (id, record_id, kind, author_text, content)
      values (${id(33)}, ${FOUNDER}, 'founder', 'Someone', 'From a file')`,
    sql`update records set notes_count = 2 where id = ${FOUNDER}`,
  ],
  19: [sql`insert into import_look_ups (import_id) values (${IMPORT})`],
  28: [
    sql`update notes set search_text = case content when ${HOSTILE} then ${FOLDED} else lower(content) end`,
    sql`update records set mention_text = ${'\x1fb'} where id = ${FOUNDER}`,
    sql`update records set mention_text = ${`\x1f${FOLDED}`} where id = ${COMPANY}`,
  ],
  45: [
    sql`insert into tags (id, name, key, created_by) values (${id(81)}, ${HOSTILE}, ${FOLDED}, ${ADA})`,
    sql`insert into record_tags (id, record_id, kind, tag_id, created_at, added_by)
      select ${id(82)}, id, kind, ${id(81)}, created_at, ${BEN} from records where id = ${FOUNDER}`,
  ],
  46: [
    sql`insert into bulk_acts (id, account_id, sets_tag, tag_id, sets_stage, sets_responsible, responsible_id)
      values (${id(91)}, ${ADA}, true, ${id(81)}, false, true, ${BEN})`,
    sql`insert into bulk_rows (bulk_id, place, record_id, record_tag_id, is_responsible_changed)
      values (${id(91)}, 0, ${FOUNDER}, ${id(82)}, true)`,
    sql`insert into bulk_rows (bulk_id, place, record_id, error) values (${id(91)}, 1, ${id(99)}, 'There is no record')`,
  ],
}

/** A database of the release with this newest migration, with all data that it can hold. */
export async function openReleased(newest: number): Promise<OpenDatabase> {
  const database = await openBareDatabase()
  await releaseInto(database, newest)
  return database
}

export async function releaseInto({ db }: OpenDatabase, newest: number): Promise<void> {
  const migrations = await readMigrations()
  const withData = Object.keys(RELEASED).map(Number)
  for (const step of new Set([...withData.filter((number) => number < newest), newest])) {
    await migrateTables(
      db,
      migrations.filter(({ number }) => number <= step),
    )
    for (const statement of RELEASED[step] ?? []) await db.execute(statement)
  }
}
