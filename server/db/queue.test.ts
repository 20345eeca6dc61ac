import { afterAll, beforeAll, expect, it } from 'vitest'
import { createLog } from '#server/log.ts'
import { openTestDatabase, type TestDatabase } from '#server/test/test-database.ts'
import { createQueue } from './queue.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

it('An error of the queue is logged with its message; after the queue is closed, none is', async () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const queue = createQueue({ database, log })
  const { boss } = await queue.open()
  // As pg-boss reports the errors of its workers.
  const error = { name: 'Error', message: 'No connection', stack: 'Error: No connection\n    at fetch' }
  boss.emit('error', error)
  expect(lines.map((line) => JSON.parse(line).err)).toEqual([
    { type: 'Error', message: 'No connection', stack: '    at fetch' },
  ])
  await queue.close()
  boss.emit('error', error)
  expect(lines).toHaveLength(1)
})
