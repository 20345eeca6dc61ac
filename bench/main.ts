import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { PASSWORD } from '#server/test/factories.ts'
import { type PostgresServer, startPostgres } from '#server/test/postgres-server.ts'
import { measureAgainst } from './against.ts'
import { readSize } from './arguments.ts'
import { type Caller, signIn } from './caller.ts'
import { type Call, callsFor, createFounders, pageAt } from './calls.ts'
import { printComparison } from './comparison.ts'
import { measureFinding } from './finding.ts'
import { printFinding } from './finding-report.ts'
import { measureImport } from './import.ts'
import { startLimit } from './limit.ts'
import { CONNECTIONS, type Measured, measure } from './load.ts'
import { measureMatching } from './matching.ts'
import { measureProcesses } from './processes.ts'
import { peakOf, startProduct } from './product.ts'
import { recordCalls } from './record.ts'
import { printReport, type Report, type SizeReport } from './report.ts'
import { findTerms } from './terms.ts'
import { measureWeb } from './web.ts'
import { addNewcomers, loadEmbedded, loadPostgres, type World } from './world.ts'

// Measures the product in a separate process on databases of several sizes, and alternately the bare cost of its
// statements and answers. Everything runs on this machine and shares its cores, including the generator.

const { parts, against, sizes, embedded, seconds, file, compare, only, withWeb, matching, rows } = readSize(
  process.argv.slice(2),
)
const DEPTH = 50_000
const say = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startPostgres({
  durable: true,
  overNetwork: true,
  settings: { shared_buffers: '1GB', maintenance_work_mem: '512MB', max_wal_size: '4GB', random_page_cost: '1.1' },
})
const report: Report = {
  at: new Date().toISOString(),
  machine: readMachine(),
  sizes: [],
  embedded: undefined,
  web: undefined,
}
try {
  if (parts.calls) await measureCallsOfSizes()
  if (parts.matching) await measureMatching(await createDatabase(postgres, 'bench_matching'), matching, seconds, say)
  if (parts.imports) await measureImports()
  if (parts.finding) await measureFindingOfSizes()
  if (against) await compareWith(against)
} finally {
  await postgres.stop()
}

async function compareWith({ isEmbedded, ...earlier }: Exclude<typeof against, false>) {
  const create = (name: string) => createDatabase(postgres, name)
  await measureAgainst({ ...earlier, seconds, only, createDatabase: isEmbedded ? undefined : create, say })
}

async function measureImports() {
  await measureImport({ DATABASE_URL: await createDatabase(postgres, 'bench_import') }, rows, say)
  if (embedded > 0) await withFolder((folder) => measureImport({ DATA_DIR: folder }, rows, say))
}

async function measureFindingOfSizes() {
  const measured = []
  const options = { seconds, withWeb, only, say }
  for (const founders of sizes) {
    const name = `finding_${founders}`
    const url = await createDatabase(postgres, name)
    const world = await loadPostgres(url, founders, say)
    measured.push(
      await measureFinding(`PostgreSQL, ${founders.toLocaleString('en')}`, { DATABASE_URL: url }, world, options),
    )
    await statement(postgres.url('postgres'), `drop database ${name} with (force)`)
  }
  if (embedded > 0) {
    await withFolder(async (folder) => {
      const world = await loadEmbedded(folder, embedded, say)
      measured.push(
        await measureFinding(`embedded, ${embedded.toLocaleString('en')}`, { DATA_DIR: folder }, world, options),
      )
    })
  }
  printFinding(measured, say)
  if (file !== undefined)
    writeFileSync(file, `${JSON.stringify({ machine: report.machine, measured }, undefined, 2)}\n`)
}

async function measureCallsOfSizes() {
  for (const founders of sizes) report.sizes.push(await measurePostgres(postgres, founders, founders === sizes.at(-1)))
  if (embedded > 0) report.embedded = await measureEmbedded(embedded)
  printReport(report, say)
  if (file !== undefined) writeFileSync(file, `${JSON.stringify(report, undefined, 2)}\n`)
  if (compare !== undefined) printComparison(JSON.parse(readFileSync(compare, 'utf8')), report, say)
}

async function measurePostgres(server: PostgresServer, founders: number, isLast: boolean): Promise<SizeReport> {
  const name = `bench_${founders}`
  const url = await createDatabase(server, name)
  const world = await loadPostgres(url, founders, say)
  let asked: Call[] = []
  const { calls, ...result } = await measureProduct({ DATABASE_URL: url }, world, async (caller, calls) => {
    asked = calls
    const recorded = await recordCalls(url, calls, caller.headers)
    return startLimit(url, recorded, seconds)
  })
  const processes = isLast ? await measureProcesses(url, world.email, asked, seconds) : undefined
  const withoutSearch = isLast ? await createWithoutSearch(url, world) : undefined
  await statement(server.url('postgres'), `drop database ${name} with (force)`)
  return {
    founders,
    calls,
    ...result,
    ...(processes && { processes }),
    ...(withoutSearch && { createWithoutSearch: withoutSearch }),
  }
}

async function measureEmbedded(founders: number): Promise<SizeReport> {
  return withFolder(async (folder) => {
    const world = await loadEmbedded(folder, founders, say)
    const size = { founders, ...(await measureProduct({ DATA_DIR: folder }, world)) }
    if (withWeb) report.web = await measureScreens({ DATA_DIR: folder }, world)
    return size
  })
}

async function withFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sourcebook-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureScreens(settings: Record<string, string>, { email }: World) {
  const product = await startProduct({ ...settings, LOG_LEVEL: 'silent' })
  try {
    return await measureWeb(product.url, email, PASSWORD)
  } finally {
    await product.end('SIGTERM')
  }
}

type Limit = Awaited<ReturnType<typeof startLimit>>

/** All calls of a product on a database, alternating with those of the limit, when there is one. */
async function measureProduct(
  settings: Record<string, string>,
  { email }: World,
  openLimit?: (caller: Caller, calls: Call[]) => Promise<Limit>,
): Promise<Omit<SizeReport, 'founders'>> {
  const { calls, limit } = await prepare(settings, email, openLimit)
  const measured = await measureCalls(settings, email, calls, limit).finally(() => limit?.stop())
  await addNewcomers(settings)
  const searches = calls
    .filter(({ name }) => name.startsWith('search'))
    .map((call) => ({ ...call, name: `${call.name}, lacked by the newest 10,000` }))
  const skewed = await measureCalls(settings, email, searches)
  return { ...measured, calls: [...measured.calls, ...skewed.calls] }
}

async function measureCalls(settings: Record<string, string>, email: string, calls: Call[], limit?: Limit) {
  const product = await startProduct({ ...settings, LOG_LEVEL: 'silent' })
  try {
    const restMb = product.memory()
    const { headers } = await signIn(product.url, email, PASSWORD)
    const measured: SizeReport['calls'] = []
    let peakMb = 0
    for (const call of calls) {
      const ask = (duration: number, connections: number) =>
        measure(product.url, { requests: call.requests, headers, seconds: duration, connections })
      if (seconds > 0) await ask(seconds, CONNECTIONS)
      const alone = await ask(Math.min(1, seconds), 1)
      const work = ask(seconds, CONNECTIONS)
      peakMb = Math.max(peakMb, await peakOf(product.memory, work))
      const ours = await work
      const least = limit && (await limit.measure(call))
      measured.push({ name: call.name, ours, alone, ...(least && { limit: least }) })
      say(`  ${call.name}: ${ours.rate.toFixed(0)}/s${least ? `, limit ${least.rate.toFixed(0)}/s` : ''}`)
    }
    return { calls: measured, startMs: product.startMs, restMb, peakMb }
  } finally {
    await product.end('SIGTERM')
  }
}

/**
 * The calls of a database, and their limit. Recording the limit runs every call once and changes some hundreds of the
 * newest records, so the measured product starts after it.
 */
async function prepare(
  settings: Record<string, string>,
  email: string,
  openLimit?: (caller: Caller, calls: Call[]) => Promise<Limit>,
): Promise<{ calls: Call[]; limit: Limit | undefined }> {
  const product = await startProduct({ ...settings, LOG_LEVEL: 'silent' })
  try {
    const caller = await signIn(product.url, email, PASSWORD)
    const [{ rows }, { rows: mine }] = await Promise.all([
      caller.page('/api/founders?limit=200'),
      caller.page('/api/founders?limit=200&mine=true'),
    ])
    const calls = callsFor({
      ids: rows.map(({ id }) => id),
      mine: mine.map(({ id }) => id),
      deepPage: await pageAt(caller.page, DEPTH),
      terms: await findTerms(caller),
    }).filter(({ name }) => only === undefined || new RegExp(only).test(name))
    return { calls, limit: await openLimit?.(caller, calls) }
  } finally {
    await product.end('SIGTERM')
  }
}

/** Measures inserts without a search index. The database is useless afterwards. */
async function createWithoutSearch(url: string, { email }: World): Promise<Measured> {
  await statement(url, 'drop index founders_search')
  await statement(url, 'alter table records disable trigger records_search_grams')
  const product = await startProduct({ DATABASE_URL: url, LOG_LEVEL: 'silent' })
  try {
    const { headers } = await signIn(product.url, email, PASSWORD)
    return await measure(product.url, { requests: createFounders.requests, headers, seconds })
  } finally {
    await product.end('SIGTERM')
  }
}

async function createDatabase(server: PostgresServer, name: string): Promise<string> {
  await statement(server.url('postgres'), `create database ${name}`)
  return server.url(name)
}

async function statement(url: string, text: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(text)
  await client.end()
}

function readMachine(): string {
  const [first, ...others] = cpus()
  return `${others.length + 1} cores, ${first?.model}`
}
