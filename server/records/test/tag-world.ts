import type { EnrichedKind } from '#server/enrichment/kind.ts'
import type { TestClient } from '#server/test/test-app.ts'
import type { Random } from '../../../scripts/seed/random.ts'

type Tagging = { client: TestClient }

/** Two tags that some records have, and one that none has any more. */
export async function makeTags(
  fellows: Tagging[],
  kind: EnrichedKind,
  ids: string[],
  random: Random,
): Promise<string[]> {
  const client = () => random.one(fellows).client
  const tags: string[] = []
  for (const name of ['Climate', 'Fintech', 'Unused']) {
    tags.push((await client().post('/api/tags', { name: `${name} ${kind.path}` })).body.id)
  }
  for (const id of ids) {
    const chosen = tags.filter(() => random.chance(0.3))
    if (chosen.length > 0) await client().put(`/api/records/${id}/tags`, { tags: chosen })
    const kept = chosen.slice(0, 2).filter((tag) => tag !== tags[2])
    if (chosen.length > kept.length) await client().put(`/api/records/${id}/tags`, { tags: kept })
  }
  return tags
}
