import { z } from 'zod'
import { type Failed, notFound, type Outcome, type ProviderAccess } from '#server/enrichment/provider.ts'
import { askRecord, type Reply, refused, userAgent } from '#server/enrichment/provider-client.ts'
import { field, list, part } from '../lenient.ts'

/** As many items of one name as are worth checking. */
const SEARCHED = 7
const Texts = z.record(z.string(), part({ value: field })).catch({})

const Snak = part({ snaktype: field, datavalue: part({ value: field }) })
const Claim = part({ rank: field, mainsnak: Snak, qualifiers: z.record(z.string(), list(Snak)).catch({}) })

export const Entity = part({
  labels: Texts,
  descriptions: Texts,
  claims: z.record(z.string(), list(Claim)).catch({}),
})
export type Entity = z.infer<typeof Entity>
export type Claim = z.infer<typeof Claim>
/** The labels of items, by id. */
export type Labels = Record<string, string>

const Found = z.object({ search: list(part({ id: field })) })
const Entities = z.object({ entities: z.record(z.string(), Entity).catch({}) })

/** The ids of items by name, in Wikidata's order. Searches without legal forms, because few labels include them. */
export async function searchEntities(access: ProviderAccess, name: string, signal: AbortSignal) {
  const search = name.replace(/[\s,]+(inc|ltd|llc|gmbh|corp|co|ag|sa|sas|bv|ab|oy|plc|limited|corporation)\.?$/i, '')
  const query = { action: 'wbsearchentities', search, language: 'en', type: 'item', limit: String(SEARCHED) }
  const outcome = await askApi(access, query, Found, signal)
  if (outcome.kind !== 'found') return outcome
  const ids = outcome.findings.search
    .map(({ id }) => id)
    .filter(isId)
    .slice(0, SEARCHED)
  return ids.length > 0 ? ({ kind: 'found', findings: ids } as const) : notFound
}

export async function getEntities(
  access: ProviderAccess,
  ids: string[],
  signal: AbortSignal,
): Promise<Outcome<Entity[]>> {
  const outcome = await askEntities(access, ids, 'descriptions|claims', signal)
  if (outcome.kind !== 'found') return outcome
  return { kind: 'found', findings: ids.flatMap((id) => outcome.findings.entities[id] ?? []) }
}

export async function getLabels(access: ProviderAccess, ids: string[], signal: AbortSignal): Promise<Outcome<Labels>> {
  if (ids.length === 0) return notFound
  const outcome = await askEntities(access, ids, 'labels', signal)
  if (outcome.kind !== 'found') return outcome
  const labels = Object.entries(outcome.findings.entities).flatMap(([id, { labels }]) => {
    // `mul` is the label for all languages.
    const label = labels.en?.value ?? labels.mul?.value
    return typeof label === 'string' ? [[id, label]] : []
  })
  return { kind: 'found', findings: Object.fromEntries(labels) }
}

export const isId = (id: unknown): id is string => typeof id === 'string' && /^Q\d{1,12}$/.test(id)

const askEntities = (access: ProviderAccess, ids: string[], props: string, signal: AbortSignal) =>
  askApi(access, { action: 'wbgetentities', ids: ids.join('|'), props, languages: 'en|mul' }, Entities, signal)

const askApi = <Schema extends z.ZodType>(
  { baseUrl, contact }: ProviderAccess,
  query: Record<string, string>,
  schema: Schema,
  signal: AbortSignal,
) => {
  const headers = { 'user-agent': userAgent(contact) }
  return askRecord(
    { baseUrl, path: '/w/api.php', query: { ...query, format: 'json' }, headers, signal },
    schema,
    troubleIn,
  )
}

const Trouble = z.object({ error: z.object({ code: field }) })

/** The API reports errors in a 200. There is no key to refuse, so a 403 does not mean a wrong key. */
function troubleIn(reply: Reply): Failed | undefined {
  if (reply.status === 403) return refused(reply, 'unavailable', false)
  const { data } = Trouble.safeParse(reply.json)
  if (data === undefined || reply.status >= 300) return undefined
  const isTooOften = data.error.code === 'ratelimited'
  return { ...refused(reply, isTooOften ? 'rate_limited' : 'unavailable', true), detail: 'it answered with an error' }
}
