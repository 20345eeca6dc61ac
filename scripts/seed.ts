import { pino } from 'pino'
import { openDatabase } from '#server/db/open.ts'
import { readSettings } from '#server/env.ts'
import { countAllFounders } from '#server/founders/store.ts'
import { StartupError } from '#server/startup-error.ts'
import { makeAccount, makeFounder, PASSWORD } from '#server/test/factories.ts'

// A believable small world, for trying the product out and for pictures.

const FELLOWS = [
  ['Maya Okafor', 'maya.okafor@stanford.edu'],
  ['Jonas Lindqvist', 'jonas@mit.edu'],
  ['Priya Raman', 'priya.raman@berkeley.edu'],
  ['Tomás Herrera', 'therrera@cs.cmu.edu'],
  ['Hana Kobayashi', 'hana@example.com'],
] as const

type Person = [name: string, title: string, company: string, bio: string, notes: string, rating: number]

const PEOPLE: Person[] = [
  [
    'Amara Nwosu',
    'Co-founder & CEO',
    'Tidewater Labs',
    'Builds sensors that find leaks in coastal water mains before they burst. Before that, seven years at a utility in Lagos.',
    'Met at the climate demo day. Two pilots signed, a third in talks. Knows every procurement officer by name.',
    9,
  ],
  [
    'Felix Brandt',
    'Founder',
    'Quietgrid',
    'Power electronics engineer turned founder; makes neighbourhood batteries that need no new cable.',
    'Second call went well. Wants to raise in spring. Hardware margins look honest.',
    8,
  ],
  [
    'Sofía Castellanos',
    'CTO',
    'Loomstack',
    'Compiler person. Wrote the query planner of a database you have used.',
    'Technical depth is the best I have seen this year. Needs a commercial co-founder.',
    9,
  ],
  [
    'Ravi Menon',
    'Co-founder',
    'Fieldnote Health',
    'Physician who codes. Ward rounds in the morning, pull requests at night.',
    'Pilot at two hospitals. Asked for introductions to clinical buyers.',
    7,
  ],
  [
    'Chloé Marchand',
    'CEO',
    'Petit Atelier',
    'Runs a marketplace for repairs of good furniture in eleven cities.',
    'Unit economics are positive since May. Slow but steady.',
    6,
  ],
  [
    'Daniel Osei',
    'Founder & CEO',
    'Ledgerline',
    'Reconciles mobile-money accounts for shops that have four of them.',
    'Growing 20 % a month without marketing. Reference customers were glowing.',
    9,
  ],
  [
    'Yuki Tanaka',
    'Researcher',
    'Okapi Robotics',
    'Soft grippers that can pick a ripe tomato. Doctorate on the same.',
    'Still in the lab. Check again after the greenhouse trial in March.',
    7,
  ],
  [
    'Leila Haddad',
    'Co-founder & COO',
    'Souk',
    'Logistics for small exporters around the Mediterranean.',
    'Introduced by Maya. Strong operator, crowded market.',
    6,
  ],
  [
    'Marcus Webb',
    'Founder',
    'Plainspoken',
    'Turns insurance policies into sentences that people understand.',
    'Regulatory angle is interesting. Wants two design partners.',
    5,
  ],
  [
    'Ingrid Solheim',
    'CEO',
    'Fjordkraft Hydrogen',
    'Former offshore engineer. Electrolysers for ferries.',
    'Long sales cycles, but the ferry operators came to her.',
    8,
  ],
  [
    'Aditya Rao',
    'Founder',
    'Nimbus Metrics',
    'Left an observability team to sell a cheaper one.',
    'Pricing is the whole story. Churn unknown; asked for the cohort sheet.',
    5,
  ],
  [
    'Zainab Yusuf',
    'Co-founder & CEO',
    'Classmate',
    'Tutors matched by the way a child learns, not by the postcode.',
    'Retention is remarkable. Teachers recommend it to each other.',
    8,
  ],
  [
    'Oliver Grant',
    'Engineer',
    'stealth',
    '',
    'Leaving his employer in January. Something about payments between machines.',
    6,
  ],
  [
    'Mei-Ling Chou',
    'Founder',
    'Paper Crane',
    'Packaging that a paper mill takes back without sorting.',
    'Met at the materials fair. Sample in my drawer survived a month of rain.',
    8,
  ],
  [
    'Kwame Asante',
    'CTO',
    'Harvest Signal',
    'Radar for small farms. Used to build it for ships.',
    'Team of four, all engineers. Needs someone who sells to co-operatives.',
    7,
  ],
  [
    'Elena Petrova',
    'CEO',
    'Northlight',
    'Makes windows that heat the room. Three patents.',
    'Patent counsel confirmed freedom to operate. Factory visit planned.',
    8,
  ],
]

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
    const fellows = []
    for (const [name, email] of FELLOWS) fellows.push(await makeAccount(db, { name, email, emailVerified: true }))
    for (const [index, [name, title, company, bio, notes, rating]] of PEOPLE.entries()) {
      await makeFounder(db, {
        // Few fellows add most, as in life.
        creator: fellows[Math.floor((index % 4) ** 1.5) % fellows.length] as (typeof fellows)[number],
        name,
        linkedIn: `https://www.linkedin.com/in/${slug(name)}`,
        notes,
        rating,
        createdAt: new Date(Date.now() - (PEOPLE.length - index) * 1.7 * DAY),
        enrichment: { current_title: title, current_company: company, ...(bio && { bio }) },
      })
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
