import { readFileSync } from 'node:fs'
import Fastify from 'fastify'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { NEW_ID, type Recorded } from './record.ts'

// The lower bound for comparison: the same statements through the bare driver, and the same bytes back, without
// validation, rights or mapping. It is a process of its own, like the product.

const [file = '', databaseUrl] = process.argv.slice(2)
const recorded: Record<string, Recorded[]> = JSON.parse(readFileSync(file, 'utf8'))
const pool = new pg.Pool({
  connectionString: databaseUrl,
  max: 10,
  options: '-c jit=off -c max_parallel_workers_per_gather=0',
})

process.once('disconnect', () => process.exit())

const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
app.all<{ Params: { call: string; index: string } }>('/:call/:index', async ({ params: { call, index } }, reply) => {
  const request = recorded[call]?.[Number(index)]
  if (request === undefined) return reply.code(404).send()
  const { status, headers, body, groups } = request
  const id = uuidv7()
  for (const group of groups) {
    await Promise.all(
      group.map(({ values, ...statement }) =>
        pool.query({ ...statement, values: values.map((value) => (value === NEW_ID ? id : value)) }),
      ),
    )
  }
  return reply.code(status).headers(headers).send(body)
})
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
