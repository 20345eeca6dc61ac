import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FEW_FOUND } from '#contract/limits.ts'
import { makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { fellowOf } from '#server/test/fellow.ts'
import { startTestApp, type TestApp, type TestClient } from '#server/test/test-app.ts'

let test: TestApp
let client: TestClient

const FOUNDERS: [name: string, more: { notes?: string; enrichment?: Record<string, string> }][] = [
  ['Ada Lovelace', { enrichment: { current_company: 'Analytical Engines' } }],
  ['José Pérez García', { enrichment: { bio: 'Raised quokkas in Perth' } }],
  ['Zoë Ångström', { enrichment: { current_company: 'Northwind Labs' } }],
  ['李明', {}],
  ['Иван Петров', {}],
  ['Sofía Núñez', { enrichment: { current_title: 'Chief Robotics Officer' } }],
  ['Łukasz Kowalski', { enrichment: { current_company: 'Żabka' } }],
  ["Siobhán O'Neill", {}],
  ['Jürgen Weiß', {}],
  ['Mary Jones', {}],
  ['Alan Turing', { notes: 'Broke codes at Bletchley' }],
  ['Grace Hopper', {}],
  ['Lovelace Hopper', {}],
]

/** What people type, and the record that they mean. */
const TYPED: [path: 'founders' | 'companies', typed: string, first: string][] = [
  ...(
    [
      ['ada', 'Ada Lovelace'],
      ['ADA LOVE', 'Ada Lovelace'],
      ['Lovelace Ada', 'Ada Lovelace'],
      ['ada lovelac', 'Ada Lovelace'],
      ['Ada Lovellace', 'Ada Lovelace'],
      ['Ada Lovlace', 'Ada Lovelace'],
      ['Ada Lovealce', 'Ada Lovelace'],
      ['Lovelaxe Ada', 'Ada Lovelace'],
      ['lovelace', 'Lovelace Hopper'],
      ['analytical eng', 'Ada Lovelace'],
      ['jose', 'José Pérez García'],
      ['JOSÉ', 'José Pérez García'],
      ['perez gar', 'José Pérez García'],
      ['garcia perez', 'José Pérez García'],
      ['quokka', 'José Pérez García'],
      ['zoe', 'Zoë Ångström'],
      ['angstrom', 'Zoë Ångström'],
      ['northwind', 'Zoë Ångström'],
      ['李明', '李明'],
      ['李 明', '李明'],
      ['петров', 'Иван Петров'],
      ['Петров Иван', 'Иван Петров'],
      ['Петроф', 'Иван Петров'],
      ['sofia', 'Sofía Núñez'],
      ['nunez', 'Sofía Núñez'],
      ['robotics officer', 'Sofía Núñez'],
      ['lukasz', 'Łukasz Kowalski'],
      ['kowalsky', 'Łukasz Kowalski'],
      ['żabka', 'Łukasz Kowalski'],
      ['siobhan', "Siobhán O'Neill"],
      ['o’neill', "Siobhán O'Neill"],
      ['weiss', 'Jürgen Weiß'],
      ['jurgen', 'Jürgen Weiß'],
      ['jones mary', 'Mary Jones'],
      ['mary jons', 'Mary Jones'],
      ['turinc', 'Alan Turing'],
      ['bletchley', 'Alan Turing'],
      ['maya okafor', 'Grace Hopper'],
      ['grace hoper', 'Grace Hopper'],
    ] as const
  ).map(([typed, first]): [path: 'founders', typed: string, first: string] => ['founders', typed, first]),
  ['companies', 'bramble', 'Bramblé Foods'],
  ['companies', 'foods bramble', 'Bramblé Foods'],
  ['companies', 'machinpay', 'Machinepay'],
  ['companies', 'berlin', 'Machinepay'],
]

describe('The palette finds what the lists find', () => {
  beforeAll(async () => {
    test = await startTestApp()
    const fellow = await fellowOf(test)
    client = fellow.client
    for (const [name, more] of FOUNDERS) {
      const { id } = await makeFounder(test.db, { name, ...more })
      if (name === 'Grace Hopper') await makeNote(test.db, { founder: id, content: 'Maya Okafor knows her well' })
    }
    await makeCompany(test.db, { name: 'Bramblé Foods' })
    await makeCompany(test.db, { name: 'Machinepay', enrichment: { description: 'Payments, made in Berlin' } })
  })
  afterAll(() => test.close())

  const search = async (path: string, parameters: Record<string, string>): Promise<string[]> => {
    const { status, body } = await client.get(`/api/${path}?${new URLSearchParams(parameters)}`)
    expect(status).toBe(200)
    return body.map(({ name }: { name: string }) => name)
  }
  /** The records of a search screen from top to bottom. */
  const onScreen = async (path: string, typed: string) => {
    const exact = await search(path, { search: typed })
    const similar = exact.length < FEW_FOUND ? await search(path, { search: typed, in: 'similar' }) : []
    return [...new Set([...exact, ...similar, ...(await search(path, { search: typed, in: 'mentions' }))])]
  }
  const firstOnScreen = async (path: string, typed: string) => {
    for (const more of [{}, { in: 'similar' }, { in: 'mentions' }]) {
      const [first] = await search(path, { search: typed, limit: '1', ...more })
      if (first !== undefined) return first
    }
    return undefined
  }

  it(`by ${TYPED.length} typed searches, whose first hit is the list's first`, async () => {
    expect(TYPED.length).toBeGreaterThanOrEqual(40)
    const firsts = TYPED.map(async ([path, typed]) => {
      const [palette, screen] = await Promise.all([
        search(path, { search: typed, in: 'all', limit: '6' }),
        firstOnScreen(path, typed),
      ])
      return [typed, palette[0], screen]
    })
    expect(await Promise.all(firsts)).toEqual(TYPED.map(([, typed, first]) => [typed, first, first]))
  })

  it.each(['hopper', 'lovelace', 'ada', 'quokka'])('in the same order: %s', async (typed) => {
    const found = await search('founders', { search: typed, in: 'all', limit: '6' })
    expect(found).toEqual(await onScreen('founders', typed))
    expect(found.length).toBeGreaterThan(0)
  })

  it('and no more than it shows, each record once', async () => {
    expect(await search('founders', { search: 'lovelace', in: 'all', limit: '1' })).toEqual(['Lovelace Hopper'])
    await makeNote(test.db, {
      founder: (await makeFounder(test.db, { name: 'Quóxxa' })).id,
      content: 'Calls herself Quoxxa',
    })
    expect(await search('founders', { search: 'quoxxa', in: 'all' })).toEqual(['Quóxxa'])
  })
})
