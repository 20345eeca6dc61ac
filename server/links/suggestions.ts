import { type SQL, sql } from 'drizzle-orm'
import type { LinkedKindName } from '#contract/kinds.ts'
import { type LinkReason, SUGGESTED_LINKS_MAX } from '#contract/link.ts'
import { type Database, rowsOf } from '#server/db/database.ts'
import { type Facts, links, records } from '#server/db/schema.ts'
import { parentDomains } from '#server/names/keys.ts'
import { infoOf, textOf } from '#server/records/fields.ts'
import { isOfKind } from '#server/records/kind.ts'

/** `title` is that of the founder, `reasons` are most certain first. */
export type SuggestionRow = { id: string; name: string; info: Facts; title: string | null; reasons: LinkReason[] }

type Side = { linked: LinkedKindName; linkedId: SQL; ownId: SQL; company: SQL; domain: SQL }

/** What records of a kind say about a company: its name, folded, and its domain. As in their indexes. */
const SIDES: Record<LinkedKindName, Side> = {
  founder: {
    ...{ linked: 'company', linkedId: sql`${links.companyId}`, ownId: sql`${links.founderId}` },
    company: sql`split_part(${records.searchText}, E'\\x1f', 3)`,
    domain: sql`mail_domain(${records.additionalInfo} ->> 'email')`,
  },
  company: {
    ...{ linked: 'founder', linkedId: sql`${links.founderId}`, ownId: sql`${links.companyId}` },
    company: sql`split_part(${records.searchText}, E'\\x1f', 1)`,
    domain: sql`${records.domainKey}`,
  },
}

/** Of each index. More records share a company only where it is a very large one. */
const CANDIDATES = sql.raw('50')

type Own = { company: string; domain: string | null; info: unknown }

/**
 * The records that may be linked to one: a founder and a company of the same name or domain, best first, newest first
 * among equals. None for a record that is gone.
 */
export async function listSuggestions(
  db: Database,
  { kind, id }: { kind: LinkedKindName; id: string },
): Promise<SuggestionRow[]> {
  const side = SIDES[kind]
  const [own] = await rowsOf<Own>(
    db,
    sql`select ${side.company} as company, ${side.domain} as domain, additional_info as info
      from ${records} where ${records.id} = ${id} and ${isOfKind(records.kind, { name: kind })}`,
  )
  if (own === undefined) return []
  const rows = await rowsOf<Omit<SuggestionRow, 'title' | 'info'> & { info: unknown }>(
    db,
    sql`select ${records.id} as id, ${records.name} as name, ${records.additionalInfo} as info, reasons
      from (
        select id, json_agg(reason order by weight desc) as reasons, sum(weight) as weight
        from (${candidatesOf(side, id, own)}) candidates group by id
        order by weight desc, id desc limit ${sql.raw(String(SUGGESTED_LINKS_MAX))}
      ) found
      -- One row each by its id.
      cross join lateral (select * from ${records} where ${records.id} = found.id limit 1) records
      order by found.weight desc, found.id desc`,
  )
  return rows.map((row) => {
    const info = infoOf(row.info)
    return { ...row, info, title: textOf((kind === 'founder' ? infoOf(own.info) : info).current_title) }
  })
}

/** The same company's name outweighs the same domain, and both outweigh one. Another form of a name weighs least. */
function candidatesOf({ linked, linkedId, ownId }: Side, id: string, own: Own): SQL {
  const { company, domain } = SIDES[linked]
  const isUnlinked = sql`${isOfKind(records.kind, { name: linked })} and not exists (
    select 1 from ${links} where ${ownId} = ${id} and ${linkedId} = ${records.id}
  )`
  const ofCompany = sql`(
    select ${records.id} as id, case when ${company} = ${own.company} then 'same_company' else 'similar_company' end as reason,
      case when ${company} = ${own.company} then 4 else 1 end as weight
    from ${records} where ${isUnlinked} and ${company} <> ''
      and company_name_key(${company}) = company_name_key(${own.company})
    order by ${records.createdAt} desc, ${records.id} desc limit ${CANDIDATES}
  )`
  if (own.domain === null) return ofCompany
  const reversed = reverse(own.domain)
  const ofDomain = (condition: SQL) => sql`(
    select ${records.id} as id, 'email_domain' as reason, 2 as weight
    from ${records} where ${isUnlinked} and ${condition} limit ${CANDIDATES}
  )`
  const column = sql`reverse(${domain}) collate "C"`
  const above = [own.domain, ...parentDomains(own.domain)].map(reverse)
  // Domains below one are neighbours when reversed: a slash follows a dot.
  return sql`${ofCompany}
    union all ${ofDomain(sql`${column} = any (${`{${above.join()}}`}::text[])`)}
    union all ${ofDomain(sql`${column} > ${`${reversed}.`} and ${column} < ${`${reversed}/`}`)}`
}

const reverse = (domain: string) => [...domain].reverse().join('')
