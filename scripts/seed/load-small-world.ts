import type { Account } from '#server/auth/session.ts'
import type { Database } from '#server/db/database.ts'
import { makeAccount, makeCompany, makeFounder, makeNote } from '#server/test/factories.ts'
import { slug } from './people.ts'
import { FELLOWS, FIRMS, NOTES, PEOPLE } from './small-world.ts'

const DAY = 86_400_000

export async function loadSmallWorld(db: Database): Promise<void> {
  const fellows: Account[] = []
  for (const [name, email] of FELLOWS) fellows.push(await makeAccount(db, { name, email, emailVerified: true }))
  const fellow = (place: number) => fellows[place % fellows.length] as Account
  const ids = new Map<string, { founder: string } | { company: string }>()

  for (const [index, [name, title, company, bio, notes, rating]] of PEOPLE.entries()) {
    const { id } = await makeFounder(db, {
      // Few fellows add most records, as in reality.
      creator: fellow(Math.floor((index % 4) ** 1.5)),
      name,
      linkedIn: `https://www.linkedin.com/in/${slug(name)}`,
      notes,
      rating,
      createdAt: new Date(Date.now() - (PEOPLE.length - index) * 1.7 * DAY),
      enrichment: { current_title: title, current_company: company, ...(bio && { bio }) },
    })
    ids.set(name, { founder: id })
  }
  for (const [index, [name, website, description, enrichment, notes, rating]] of FIRMS.entries()) {
    const { id } = await makeCompany(db, {
      creator: fellow(Math.floor((index % 3) ** 1.7)),
      name,
      website,
      description,
      notes,
      rating,
      createdAt: new Date(Date.now() - (FIRMS.length - index) * 2.2 * DAY),
      enrichment,
    })
    ids.set(name, { company: id })
  }
  for (const [about, author, content] of NOTES) {
    await makeNote(db, { ...ids.get(about), author: fellow(author), content })
  }
}
