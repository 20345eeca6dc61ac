import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EnrichedApp, startEnrichedApp, until } from '#server/enrichment/test/enriched-app.ts'
import type { Row } from '#server/merge/test/calls.ts'
import { createWorld, person } from './test/listed.ts'

let world: EnrichedApp
let { ann, add, list } = {} as Awaited<ReturnType<typeof createWorld>>
beforeAll(async () => {
  world = await startEnrichedApp({ ENRICHMENT_PROVIDERS: 'harmonic' })
  ;({ ann, add, list } = await createWorld(world.test))
})
afterAll(() => world.close())

const get = async ({ id }: Row): Promise<Row> => (await ann.client.get(`/api/founders/${id}`)).body
const ended = (record: Row) => until(async () => !(await get(record)).enrichment.isRunning)
const infoOf = async (record: Row) => JSON.parse((await get(record)).additionalInfo ?? 'null')
/** What Harmonic answers about one profile. */
const answers = (linkedIn: string, primary_email: string, delayMs = 0) =>
  world.outside.on(
    ({ query }) => Object.values(query).some((value) => value.includes(linkedIn.split('/in/')[1] ?? '')),
    {
      json: {
        contact: { primary_email, emails: [] },
        experience: [{ title: 'CEO', company_name: 'Acme', is_current_position: true }],
      },
      ...(delayMs > 0 && { delayMs }),
    },
  )

describe('Enrichment', () => {
  it('writes nothing of what was found where it has an address that is not to be kept', { tags: 'slow' }, async () => {
    const { email } = person()
    const { linkedIn } = person()
    await list({ email })
    answers(linkedIn, email.toUpperCase())
    const record = await add({ linkedIn })
    await ended(record)
    expect(await infoOf(record)).toBeNull()
    answers(linkedIn, `x${email}`)
    await ann.client.post(`/api/founders/${record.id}/refresh`)
    await ended(record)
    expect(await infoOf(record)).toMatchObject({ email: `x${email}`, current_title: 'CEO' })
  })

  it('checks again when it writes, for addresses that were listed while it asked', { tags: 'slow' }, async () => {
    const { email } = person()
    const { linkedIn } = person()
    answers(linkedIn, email, 3_000)
    const adding = add({ linkedIn, name: 'In Flight' })
    await until(() =>
      world.outside.requests.some(({ query }) => JSON.stringify(query).includes(linkedIn.split('/in/')[1] ?? '-')),
    )
    await list({ email })
    const record = await adding
    await ended(record)
    expect(await infoOf(record)).toBeNull()
  })
})
