import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { lineOf, newFolder, numbersIn, open, preparedFolder, saveMore, silent, startProgram } from './test/worlds.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const trigger = (folder: string) => fs.writeFileSync(`${folder}.trigger`, '')

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1)

describe('A commit', () => {
  it('is synced to the disk, each one', { timeout: 60_000 }, async () => {
    const folder = preparedFolder()
    const program = startProgram(folder, 'keep 201', 'counting')
    const syncs = () => fs.statSync(`${folder}.syncs`).size
    await saveMore(program, 1)
    const before = syncs()
    await saveMore(program, 200)
    const counted = syncs() - before
    console.info(`${counted} syncs in 200 commits`)
    // The program is at most a few rows ahead of the rows read here, and every commit has its sync.
    expect(counted).toBeGreaterThanOrEqual(190)
    await lineOf(program, 'closed')
    expect(syncs() - before).toBeGreaterThanOrEqual(200)
  })

  it('is not acknowledged when the sync fails, and the process ends', { timeout: 60_000 }, async () => {
    const folder = preparedFolder()
    const program = startProgram(folder, 'keep', 'failing')
    await saveMore(program, 5)
    trigger(folder)
    const lines: string[] = []
    for (let line = await program.next(); line !== undefined; line = await program.next()) lines.push(line)
    const { code, stderr } = await program.ended()
    expect(code).toBe(1)
    expect(stderr).toBe(
      'The disk failed to store what was written (EIO). Stopping, so that no write is confirmed that could be lost.\n',
    )

    const again = startProgram(folder, 'look')
    const found = numbersIn(await lineOf(again, 'found'))
    const acknowledged = [
      ...upTo(5),
      ...lines.filter((line) => line.startsWith('kept')).map((line) => Number(line.split(' ')[1])),
    ]
    expect(found).toEqual(expect.arrayContaining(acknowledged))
  })

  it('fails when the log cannot be written, is not acknowledged, and works again later', {
    timeout: 60_000,
  }, async () => {
    const folder = preparedFolder()
    const program = startProgram(folder, 'keep', 'full')
    const before = await saveMore(program, 5)
    trigger(folder)
    expect(await lineOf(program, 'failed')).toBe('failed 57P01')
    fs.rmSync(`${folder}.trigger`)
    const after = await saveMore(program, 5)
    expect(after).toBeGreaterThan(before)
    await program.kill()
    const found = numbersIn(await lineOf(startProgram(folder, 'look'), 'found'))
    expect(found.length).toBeGreaterThanOrEqual(after)
  })
})

/** One round: starts on the existing folder, adds rows, and dies by SIGKILL. Returns the last row acknowledged. */
async function keepAndDie(folder: string, before: number, many: number): Promise<number> {
  // A killed process loses nothing that the kernel has, so rounds without syncs are faster.
  const program = startProgram(folder, 'keep', 'unsynced')
  expect(numbersIn(await lineOf(program, 'found'))).toEqual(expect.arrayContaining(upTo(before)))
  let last = await saveMore(program, many)
  program.process.kill('SIGKILL')
  for (let line = await program.next(); line !== undefined; line = await program.next()) {
    if (line.startsWith('kept')) last = Number(line.split(' ')[1])
  }
  await program.ended()
  return last
}

describe('kill -9', () => {
  it('loses no acknowledged row, and the next start is not refused, 4 times', { timeout: 180_000 }, async () => {
    const start = performance.now()
    const twice = async () => {
      const folder = preparedFolder()
      let last = 0
      for (let round = 1; round <= 2; round++) last = await keepAndDie(folder, last, 1 + (round % 7) * 3)
      return last
    }
    const [some, others] = await Promise.all([twice(), twice()])
    const took = Math.round(performance.now() - start)
    console.info(`4 kills, ${some + others} acknowledged rows, none lost, ${took} ms`)
  })

  it('during the first start is harmless, twice', { timeout: 180_000 }, async () => {
    const folder = path.join(newFolder(), 'data')
    for (let round = 0; round < 2; round++) {
      fs.rmSync(path.join(folder, 'database'), { recursive: true, force: true })
      const program = startProgram(folder, 'look', 'unsynced')
      // Kills once after the files are written, because the part before takes longest.
      while (round === 1 && !fs.existsSync(path.join(folder, 'database.unfinished', 'PG_VERSION'))) await pause(5)
      await pause(Math.random() * 1000)
      await program.kill()
    }
    const program = startProgram(folder, 'keep 3', 'unsynced')
    await lineOf(program, 'kept 3')
    await lineOf(program, 'closed')
    expect(fs.readdirSync(folder).sort()).toEqual(['database', 'in-use.lock'])
  })
})

describe('A power cut', () => {
  it.each([
    ['nothing', ''],
    ['zeros', '\0'.repeat(40)],
  ])('that left %s in the process id file does not prevent the start', async (_what, content) => {
    const folder = preparedFolder()
    fs.writeFileSync(path.join(folder, 'database', 'postmaster.pid'), content)
    const client = await open({ folder })
    expect((await client.query('select count(*)::int as count from records')).rows).toEqual([{ count: 0 }])
  })
})

describe('A second process on the folder', () => {
  it('is refused in one sentence that names the first, which continues to run', { timeout: 60_000 }, async () => {
    const folder = preparedFolder()
    const first = startProgram(folder, 'keep', 'unsynced')
    await lineOf(first, 'kept')

    const who = `Another Sourcebook (process ${first.process.pid})`
    const refusal = `${who} is using the folder ${folder}. Stop it first, or set DATA_DIR to another folder.`
    const start = performance.now()
    const second = await startProgram(folder, 'keep').ended()
    expect(second).toEqual({ code: 1, stderr: `${refusal}\n` })
    expect(performance.now() - start).toBeLessThan(15_000)

    await lineOf(first, 'kept')
    await first.kill()
  })
})

describe('A statement past its deadline', () => {
  it('is stopped, and the database continues with every acknowledged row', { timeout: 60_000 }, async () => {
    const warnings: string[] = []
    const log = { ...silent, warn: (message: string) => warnings.push(message) }
    const client = await open({ folder: preparedFolder(), statementTimeoutMs: 1500, log })
    const received: string[] = []
    const receiveGap = () => received.push('a gap')
    await client.listen('records', (payload) => received.push(payload), receiveGap)
    await client.listen('sessions', (payload) => received.push(payload), receiveGap)
    await client.exec('create table kept (i int)')
    await client.query('insert into kept values (1)')

    const endless = 'select count(*) from generate_series(1, 2000000000)'
    const [stopped, bystander, next] = await Promise.allSettled([
      client.transaction(async (tx) => {
        await tx.query('insert into kept values (2)')
        await tx.query(endless)
      }),
      client.query(endless).catch((error) => error),
      client.query('select i from kept'),
    ])
    expect(stopped).toMatchObject({ reason: { code: '57014' } })
    expect(bystander).toMatchObject({ value: { code: '57014' } })
    expect(next).toMatchObject({ reason: { code: '57P01' } })

    await client.query("select pg_notify('records', 'still there')")
    expect((await client.query('select i from kept')).rows).toEqual([{ i: 1 }])
    // Two statements were stopped, and each time every listener is notified once.
    expect(received).toEqual(['a gap', 'a gap', 'still there'])
    expect(warnings).toHaveLength(2)
  })
})
