import { describe, expect, it } from 'vitest'
import type { RecordKind, RecordWorld } from '#server/records/test/record-world.ts'
import type { TestClient } from '#server/test/test-app.ts'

/** Tests of the lists and searches that all kinds share, for one kind. */
export function describeRecordLists(kind: RecordKind, { test, fellow }: RecordWorld) {
  const { path } = kind

  describe('Listing', () => {
    it('is a plain array, newest first', async () => {
      const { account, client } = await fellow()
      const ids = []
      for (const name of ['first', 'second', 'third'])
        ids.push((await kind.make(test().db, { creator: account, name })).id)
      const answer = await client.get(`${path}?mine=true`)
      expect(answer.body.map(({ id }: { id: string }) => id)).toEqual(ids.reverse())
      expect(answer.headers['cache-control']).toBe('no-store')
    })

    it('lists every record once, page by page, by the Link header', async () => {
      const { account, client } = await fellow()
      const made = []
      for (let index = 0; index < 7; index += 1) made.push((await kind.make(test().db, { creator: account })).id)
      const seen: string[] = []
      let next: string | undefined = `${path}?mine=true&limit=3`
      for (let pages = 0; next !== undefined && pages < 9; pages += 1) {
        const answer = await client.get(next)
        expect(answer.headers['x-total-count']).toBe('7')
        seen.push(...answer.body.map(({ id }: { id: string }) => id))
        next = /^<(.+)>; rel="next"$/.exec(String(answer.headers.link))?.[1]
      }
      expect(seen).toEqual(made.reverse())
    })

    it('keeps its position when records are added between pages', async () => {
      const { account, client } = await fellow()
      for (let index = 0; index < 4; index += 1) await kind.make(test().db, { creator: account, name: `old ${index}` })
      const first = await client.get(`${path}?mine=true&limit=2`)
      await kind.make(test().db, { creator: account, name: 'new' })
      const next = /<(.+)>/.exec(String(first.headers.link))?.[1] as string
      const second = await client.get(next)
      expect(second.body.map(({ name }: { name: string }) => name)).toEqual(['old 1', 'old 0'])
    })

    it.each([
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['limit=x', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['cursor=nonsense', 'cursor'],
      ['cursor=%00', 'cursor'],
      ['mine=yes', 'mine'],
      ['search=a&search=b', 'search'],
      [`search=${'a'.repeat(201)}`, 'search'],
      ['search=%00', 'search'],
    ])('returns 400 at its field for %s', async (query, field) => {
      const { client } = await fellow()
      const answer = await client.get(`${path}?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.body.fields[field]).toBeTypeOf('string')
    })

    it.each([
      ['__proto__[x]=1', '__proto__[x]'],
      ['search[]=a', 'search[]'],
      ['search[x]=1', 'search[x]'],
      ['colour=9', 'colour'],
    ])('refuses %s as a parameter that it does not have', async (query, name) => {
      const { client } = await fellow()
      for (const list of [path, `${path}/export`]) {
        const { status, body } = await client.get(`${list}?${query}`)
        expect({ status, fields: body.fields }).toEqual({
          status: 400,
          fields: { [name]: `There is no parameter "${name}"` },
        })
      }
    })

    it('returns the exact total without a search', async () => {
      const { account, client } = await fellow()
      const before = Number((await client.get(`${path}?limit=1`)).headers['x-total-count'])
      const made = await kind.make(test().db, { creator: account })
      expect((await client.get(`${path}?limit=1`)).headers['x-total-count']).toBe(String(before + 1))
      await client.delete(`${path}/${made.id}`)
      expect((await client.get(`${path}?limit=1`)).headers['x-total-count']).toBe(String(before))
    })
  })

  describe('Searching', () => {
    const namesFor = async (client: TestClient, search: string) => {
      const answer = await client.get(`${path}?mine=true&search=${encodeURIComponent(search)}`)
      expect(answer.status).toBe(200)
      expect(answer.headers['x-total-count']).toBe(String(answer.body.length))
      return answer.body.map(({ name }: { name: string }) => name).sort()
    }

    it('matches part of the name in another case', async () => {
      const { account, client } = await fellow()
      for (const name of ['Grace Hopper', 'Ada']) await kind.make(test().db, { creator: account, name })
      expect(await namesFor(client, 'CE HOP')).toEqual(['Grace Hopper'])
    })

    it("matches part of the record's own notes", async () => {
      const { account, client } = await fellow()
      await kind.make(test().db, { creator: account, name: 'A', notes: 'Ships rockets' })
      await kind.make(test().db, { creator: account, name: 'B', notes: 'Ships soup' })
      expect(await namesFor(client, 'rOCK')).toEqual(['A'])
    })

    it('does not match across two fields', async () => {
      const { account, client } = await fellow()
      await kind.make(test().db, { creator: account, name: 'alpha', notes: 'beta' })
      for (const search of ['alphabeta', 'alpha beta', 'alpha\u001fbeta', 'a b']) {
        expect(await namesFor(client, search)).toEqual([])
      }
    })

    it('treats %, _ and \\ as plain characters', async () => {
      const { account, client } = await fellow()
      for (const name of ['100%', 'a_c', 'abc', 'back\\slash']) await kind.make(test().db, { creator: account, name })
      expect(await namesFor(client, '%')).toEqual(['100%'])
      expect(await namesFor(client, '_')).toEqual(['a_c'])
      expect(await namesFor(client, '\\')).toEqual(['back\\slash'])
      expect(await namesFor(client, 'k\\s')).toEqual(['back\\slash'])
    })

    it('folds letters of every script, whatever the locale of the database', async () => {
      const { account, client } = await fellow()
      for (const name of ['ÉCOLE', 'ΣΊΣΥΦΟΣ', 'ＦＵＬＬ', 'ﬁne', 'ЖУК'])
        await kind.make(test().db, { creator: account, name })
      expect(await namesFor(client, 'école')).toEqual(['ÉCOLE'])
      expect(await namesFor(client, 'жук')).toEqual(['ЖУК'])
      expect(await namesFor(client, 'full')).toEqual(['ＦＵＬＬ'])
      expect(await namesFor(client, 'FINE')).toEqual(['ﬁne'])
      expect(await namesFor(client, 'ΣΊΣΥ')).toEqual(['ΣΊΣΥΦΟΣ'])
    })

    it.each(["'", '"', "';--", '$1', '\\x27', '${7*7}', "'||pg_sleep(3)||'", '(a+)+$', '%a%a%a%'])(
      'finds nothing for %s, and is harmless',
      async (search) => {
        const { client } = await fellow()
        expect(await namesFor(client, search)).toEqual([])
      },
    )

    it('with a blank search lists everything', async () => {
      const { account, client } = await fellow()
      await kind.make(test().db, { creator: account, name: 'Only one' })
      expect(await namesFor(client, '  ')).toEqual(['Only one'])
    })

    it('finds notes by their text after an edit, and no longer by their old text', async () => {
      const { account, client } = await fellow()
      const { id } = await kind.make(test().db, { creator: account, name: 'Edited', notes: 'before' })
      await client.put(`${path}/${id}`, { notes: 'Afterwards' })
      expect(await namesFor(client, 'AFTERW')).toEqual(['Edited'])
      expect(await namesFor(client, 'before')).toEqual([])
      expect(await namesFor(client, 'edited')).toEqual(['Edited'])
    })
  })
}
