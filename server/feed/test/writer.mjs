import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

// Some writers, each on a connection of its own: short and long transactions of several acts, and some that are taken back. It ends
// with its parent, or by kill -9.

const [url, count, firstSeed] = process.argv.slice(2)

/** Numbers from 0 to 1, the same ones for a seed. */
function randomFrom(seed) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const SOME = `select id from records where kind = 'founder' order by random() limit 1`
const ACTS = [
  `update records set rating = rating % 10 + 1, version = version + 1 where id = (${SOME})`,
  `update records set status = case status when 'active' then 'on_hold' else 'active' end, version = version + 1 where id = (${SOME})`,
  `insert into notes (id, record_id, kind, content) select gen_random_uuid(), id, 'founder', 'x' from (${SOME}) one`,
  'delete from notes where id = (select id from notes order by random() limit 1)',
]

async function write(seed) {
  const random = randomFrom(seed)
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => process.exit(1))
  await client.connect()
  for (;;) {
    const isLong = random() < 0.2
    await client.query('begin')
    try {
      const acts = isLong ? 2 + Math.floor(random() * 4) : 1
      for (let done = 0; done < acts; done += 1) {
        await client.query(ACTS[Math.floor(random() * ACTS.length)])
        if (isLong) await pause(random() * 40)
      }
      await client.query(random() < 0.15 ? 'rollback' : 'commit')
    } catch {
      // Two that wait for each other: one goes on.
      await client.query('rollback')
    }
  }
}

process.stdin.resume().on('close', () => process.exit())
for (let at = 0; at < Number(count); at += 1) write(Number(firstSeed) + at).catch(() => process.exit(1))
