/**
 * A minimal server, for tests that kill it or fill its disk: opens the folder, prints the rows it found, and keeps
 * adding rows. Prints each row once it is acknowledged.
 */
import fs from 'node:fs'
import { openEmbedded } from '../client.ts'

const [folder, act = 'keep'] = process.argv.slice(2)
const say = (line: string) => fs.writeSync(1, `${line}\n`)
const complain = (line: string) => fs.writeSync(2, `${line}\n`)

function giveUp(reason: Error): never {
  complain(reason.message)
  process.exit(1)
}

const client = await openEmbedded({
  folder,
  statementTimeoutMs: 20_000,
  onLost: giveUp,
  log: { info: () => {}, warn: complain, error: complain },
}).catch(giveUp)

await client.exec('create table if not exists kept (i int primary key, filler text)')
const { rows } = await client.query<{ i: number }>('select i from kept order by i')
say(`found ${rows.map(({ i }) => i).join(',')}`)

let last = rows.at(-1)?.i ?? 0
const many = Number(/\d+/.exec(act)?.[0] ?? Number.POSITIVE_INFINITY)
if (act !== 'look') {
  for (let left = many; left > 0; left--) {
    const i = ++last
    try {
      await client.query('insert into kept values ($1, $2)', [i, 'x'.repeat(i % 300)])
      say(`kept ${i}`)
      if (act.endsWith('with checkpoints') && i % 40 === 0) await client.exec('CHECKPOINT')
    } catch (error) {
      say(`failed ${(error as { code?: string }).code}`)
      last--
    }
  }
}
await client.close()
say('closed')
