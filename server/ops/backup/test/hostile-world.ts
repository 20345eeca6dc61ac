import { sql } from 'drizzle-orm'
import type { Account } from '#server/auth/sessions/session.ts'
import type { Database } from '#server/db/database.ts'
import { makeAccount, makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'

/** Texts that break common file formats. */
const HOSTILE_TEXTS = [
  `'"\`\\ \\\\ \\N \\. $$ $1 %s {} [] , ; -- /* */`,
  'one\ntwo\r\nthree\rfour\tfive\vsix\fseven',
  'ends of lines that some readers know: \u2028 \u2029 \u0085 \u001e',
  '\u0001\u001f\u007f\ufeff\ufffe\uffff',
  '😀👩‍👩‍👧‍👦🇩🇪 é e\u0301 ﷽ 日本 \u202etxt',
  '#rows 1',
  '#end',
  '{"name":"not a row"}',
  'null',
  '=1+1',
  `${'long '.repeat(1999)}`,
]

/** Accounts, records of both kinds, notes and pictures, with every hostile text in all of them. */
export async function makeHostileWorld(db: Database): Promise<{ fellow: Account }> {
  const fellow = await makeAccount(db, { email: 'ada@mit.edu', name: `O'Hara "\\" 😀` })
  const other = await makeAccount(db)
  for (const [index, text] of HOSTILE_TEXTS.entries()) {
    const creator = index % 2 ? fellow : other
    const founder = await makeFounder(db, { creator })
    const company = await makeCompany(db, { creator })
    // Inserted directly: earlier versions may have accepted data that is refused today.
    await db.execute(sql`update records set name = ${text}, notes = ${text}, search_text = ${text}, linked_in = ${text},
        additional_info = ${JSON.stringify({ bio: text })}::jsonb,
        enrichment = ${JSON.stringify({ last: { notice: text, found: [], at: '' } })}::jsonb
      where id in (${founder.id}, ${company.id})`)
    for (const author of [fellow, other]) {
      await makeNote(db, { founder: founder.id, author, content: text.slice(0, 1000) })
      await makeNote(db, { company: company.id, author, content: text.slice(0, 1000) })
    }
    await db.execute(sql`insert into pictures (record_id, kind, size, bytes, fetched_at) values
      (${founder.id}, 'founder', 56, ${EVERY_BYTE}, now()), (${founder.id}, 'founder', 112, ''::bytea, '1999-12-31 23:59:59.999+05:30')`)
  }
  await db.execute(
    sql`update records set enrichment = 'null' where id in (select id from records where kind = 'founder' limit 1)`,
  )
  await db.execute(sql`insert into settings (key, value) values ('auth-secret', 'a secret of this place alone, kept')
    on conflict (key) do update set value = excluded.value`)
  await db.execute(sql`delete from notes where id in (select id from notes limit 3)`)
  return { fellow }
}

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 * 40 }, (_, index) => index % 256))
