import { type SQL, sql } from 'drizzle-orm'
import { type EnrichmentState, type Facts, records } from '#server/db/schema.ts'

type Sources = NonNullable<EnrichmentState['sources']>

/**
 * The columns of enriched values, with some of them set and others removed. Computed from the current ones, because a
 * run of enrichment may end meanwhile.
 */
export function factsColumns({
  set = {},
  sources = {},
  removed = [],
}: {
  set?: Facts
  sources?: Sources
  /** Fields without a value afterwards. Their sources go as well. */
  removed?: string[]
}): { additionalInfo: SQL; enrichment: SQL<EnrichmentState> } {
  const without = sql`array(select jsonb_array_elements_text(${JSON.stringify(removed)}::jsonb))`
  const info = sql`case when jsonb_typeof(${records.additionalInfo}) = 'object' then ${records.additionalInfo} else '{}' end`
  const known = sql`coalesce(${records.enrichment} -> 'sources', '{}')`
  // Without a source, a value is not one of an import.
  const unsourced = Object.keys(set).filter((field) => sources[field] === undefined)
  const withoutSource = sql`array(select jsonb_array_elements_text(${JSON.stringify([...removed, ...unsourced])}::jsonb))`
  return {
    additionalInfo: sql`nullif((${info}) - ${without} || ${JSON.stringify(set)}::jsonb, '{}')`,
    enrichment: sql`${records.enrichment}
      || jsonb_build_object('sources', ${known} - ${withoutSource} || ${JSON.stringify(sources)}::jsonb)`,
  }
}
