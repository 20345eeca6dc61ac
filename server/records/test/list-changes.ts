import fc from 'fast-check'
import type { SortName } from '#contract/record.ts'
import { founderKind } from '#server/founders/kind.ts'
import { merge, undo } from '#server/merge/test/calls.ts'
import type { ListWorld } from './list-world.ts'

/** The sorts in which a change moves its records. A united record may take the time of the one merged into it. */
const MOVES = {
  rate: ['rating'],
  note: ['lastNote'],
  find: [],
  tag: [],
  move: ['stageAge'],
  add: ['newest', 'rating', 'lastNote', 'stageAge'],
  delete: ['newest', 'rating', 'lastNote', 'stageAge'],
  merge: ['newest', 'rating', 'lastNote', 'stageAge'],
  undo: ['newest', 'rating', 'lastNote', 'stageAge'],
} satisfies Record<string, SortName[]>

const act = fc.constantFrom(
  ...(['rate', 'rate', 'note', 'note', 'find', 'tag', 'move', 'add', 'delete', 'merge', 'undo'] as const),
)
/** A change of records of a list, by one of three fellows. */
export const change = fc.record({ act, by: fc.nat(2), one: fc.nat(200), other: fc.nat(200) })
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never

/** Makes a change if the fellow may. Returns all records that it may have changed, and whether it moves them. */
export async function makeChange(
  { kind, fellows, stages, tags }: ListWorld,
  ids: string[],
  { act, by, one, other }: Change,
) {
  const { client } = fellows[by] as ListWorld['fellows'][number]
  const path = `/api/${kind.path}`
  const [id = '', otherId = ''] = [ids[one % ids.length], ids[other % ids.length]]
  const all = [id]
  if (act === 'rate') await client.put(`${path}/${id}`, { rating: (other % 10) + 1 })
  else if (act === 'note') await client.post(`/api/notes/${kind.name}/${id}`, { content: 'A new note' })
  else if (act === 'find') await client.post(`/api/records/${id}/finders`, {})
  else if (act === 'tag')
    await client.put(`/api/records/${id}/tags`, { tags: tags.filter((_tag, at) => other & (1 << at)) })
  else if (act === 'move') {
    const { status, body } = await client.get(`/api/records/${id}/pipeline`)
    const set = { stage: stages[other % stages.length]?.id ?? null, version: body?.version }
    if (status === 200) await client.put(`/api/records/${id}/pipeline`, set)
  } else if (act === 'delete') await client.delete(`${path}/${id}`)
  else if (act === 'add') {
    const address = kind.name === founderKind.name ? { linkedIn: 'https://www.linkedin.com/in/new' } : {}
    all.push((await client.post(path, { name: 'Soon', notes: 'New', ...address })).body.id)
  } else if (act === 'undo') {
    const { status, body } = await client.get(`/api/records/${id}/merges`)
    if (status === 200 && body[0]) all.push(body[0].other.id, (await undo(client, body[0].id)).body?.id)
  } else if (id !== otherId) {
    const [survivor, duplicate] = await Promise.all([id, otherId].map((each) => client.get(`${path}/${each}`)))
    if (survivor?.status === 200 && duplicate?.status === 200) await merge(client, survivor.body, duplicate.body)
    all.push(otherId)
  }
  return { all, isMove: (sort: SortName) => (MOVES[act] as SortName[]).includes(sort) }
}
