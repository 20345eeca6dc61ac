import { describe, expect, it } from 'vitest'
import type { RecordKind, RecordWorld } from '#server/records/test/record-world.ts'

/** Tests of the rights to edit and delete records, for one kind. */
export function describeRecordRights(kind: RecordKind, { test, fellow, create }: RecordWorld) {
  const { path } = kind

  describe('Ownership follows the account', () => {
    it("not the name: taking another person's name or e-mail as a name grants nothing", async () => {
      const owner = await fellow({ name: 'Ada Lovelace' })
      const { id } = await create(owner.client)
      for (const name of ['Ada Lovelace', owner.account.email]) {
        const impostor = await fellow({ name })
        expect((await impostor.client.put(`${path}/${id}`, { rating: 1 })).status).toBe(403)
        expect((await impostor.client.delete(`${path}/${id}`)).status).toBe(403)
        expect((await impostor.client.get(`${path}?mine=true`)).body).toEqual([])
      }
    })

    it('an imported record belongs to the account with that e-mail once it is verified', async () => {
      const { id } = await kind.makeImported(test().db, 'Importer@MIT.edu')
      const claimed = await fellow({ email: 'importer@mit.edu' })
      expect((await claimed.client.get(`${path}/${id}`)).body).toMatchObject({
        createdBy: 'Importer@MIT.edu',
        can: { edit: false, delete: false },
      })
      await test().db.execute(`update accounts set email_verified = true where email = 'importer@mit.edu'`)
      expect((await claimed.client.get(`${path}?mine=true`)).body.map((record: { id: string }) => record.id)).toEqual([
        id,
      ])
      expect((await claimed.client.put(`${path}/${id}`, { rating: 2 })).status).toBe(200)
      expect((await claimed.client.delete(`${path}/${id}`)).status).toBe(204)
    })
  })

  describe('A manager', () => {
    it('can edit and delete the records of others, which `can` shows', async () => {
      const [owner, manager] = [await fellow(), await fellow({ role: 'manager' })]
      const { id } = await create(owner.client)
      const can = { edit: true, delete: true }
      expect((await manager.client.get(`${path}/${id}`)).body.can).toEqual(can)
      const [listed] = (await manager.client.get(path)).body
      expect(listed).toMatchObject({ id, can })
      expect(await manager.client.put(`${path}/${id}`, { rating: 2 })).toMatchObject({ status: 200, body: { can } })
      expect((await manager.client.get(`${path}?mine=true`)).body).toEqual([])
      expect((await manager.client.delete(`${path}/${id}`)).status).toBe(204)
    })

    it('can delete a record without a known creator', async () => {
      const { client } = await fellow({ role: 'manager' })
      const { id } = await kind.makeImported(test().db, 'left@mit.edu')
      expect((await client.delete(`${path}/${id}`)).status).toBe(204)
    })

    it('has these rights from the next request on, and only while being a manager', async () => {
      const [owner, other] = [await fellow(), await fellow()]
      const { id } = await create(owner.client)
      const setRole = (role: string) =>
        test().db.execute(`update accounts set role = '${role}' where id = '${other.account.id}'`)
      await setRole('manager')
      expect((await other.client.put(`${path}/${id}`, { rating: 2 })).status).toBe(200)
      await setRole('fellow')
      expect((await other.client.put(`${path}/${id}`, { rating: 3 })).status).toBe(403)
    })
  })
}
