import { pino } from 'pino'
import type { Account } from '#server/auth/session.ts'
import { openDatabase } from '#server/db/open.ts'
import { readSettings } from '#server/env.ts'
import { countAllFounders } from '#server/founders/store.ts'
import { StartupError } from '#server/startup-error.ts'
import { makeAccount, makeCompany, makeFounder, makeNote, PASSWORD } from '#server/test/factories.ts'
import { FELLOWS, FIRMS, NOTES, PEOPLE } from './seed-world.ts'

const DAY = 86_400_000
const slug = (name: string) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '-')

async function seed() {
  const settings = readSettings(process.env)
  const lost = (reason: Error) => {
    throw reason
  }
  const { db, close } = await openDatabase(settings, pino({ level: 'silent' }), lost)
  try {
    if ((await countAllFounders(db)) > 0) {
      throw new StartupError(
        'This database has records already; the seed is for an empty one. Set DATA_DIR to a new folder.',
      )
    }
    const fellows: Account[] = []
    for (const [name, email] of FELLOWS) fellows.push(await makeAccount(db, { name, email, emailVerified: true }))
    const fellow = (place: number) => fellows[place % fellows.length] as Account
    const ids = new Map<string, { founder: string } | { company: string }>()

    for (const [index, [name, title, company, bio, notes, rating]] of PEOPLE.entries()) {
      const { id } = await makeFounder(db, {
        // Few fellows add most, as in life.
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
  } finally {
    await close()
  }
  process.stdout.write(`Seeded. Sign in as ${FELLOWS[0][1]} with the password "${PASSWORD}".\n`)
}

try {
  await seed()
} catch (error) {
  process.stderr.write(
    `${error instanceof StartupError ? error.message : error instanceof Error ? error.stack : error}\n`,
  )
  process.exitCode = 1
}
