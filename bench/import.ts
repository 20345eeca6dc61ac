import { setTimeout as pause } from 'node:timers/promises'
import type { Import, ImportState } from '#contract/import.ts'
import { PASSWORD } from '#server/test/factories.ts'
import { linkedInOf, person } from '../scripts/seed/people.ts'
import { randomFrom } from '../scripts/seed/random.ts'
import { type Caller, signIn } from './caller.ts'
import { peakOf, startProduct } from './product.ts'
import { loadEmbedded, loadPostgres } from './world.ts'

// Measures reading, importing and reverting a file of founders, importing it again, and importing it twice. Also
// measures the delay of other calls in that time, and the memory of the process.

const FOUNDERS = 10_000
/** The duration of the measurement before the import, as a baseline for the other calls. */
const ALONE_MS = 20_000
const BETWEEN_CALLS_MS = 20

type Waits = { p50: number; p99: number; longest: number; calls: number }
type Step = { title: string; seconds: number; waits: Waits; peakMb: number; import: Import | undefined }
type Settings = Record<string, string>

export async function measureImport(settings: Settings, rows: number, say: (line: string) => void): Promise<void> {
  const load = settings.DATABASE_URL === undefined ? loadEmbedded : loadPostgres
  const { email } = await load(settings.DATABASE_URL ?? (settings.DATA_DIR as string), Math.min(rows, FOUNDERS), say)
  const product = await startProduct({ ...settings, LOG_LEVEL: 'silent' })
  try {
    const caller = await signIn(product.url, email, PASSWORD)
    const measure = async (title: string, work: () => Promise<Import | undefined>): Promise<Step> => {
      const began = performance.now()
      const others = callOthers(product.url, caller)
      let done: Import | undefined
      const peakMb = await peakOf(
        product.memory,
        work().then((result) => {
          done = result
        }),
      )
      const seconds = (performance.now() - began) / 1_000
      const step = { title, seconds, peakMb, import: done, waits: await others.end() }
      say(row(step))
      return step
    }
    const { upload, run, revert } = importer(product.url, caller, file(rows))
    say(
      `\n| ${rows.toLocaleString('en')} rows | s | Others: p50 ms | p99 ms | Longest ms | Calls | Memory at most MB | Outcome |`,
    )
    say('|---|---|---|---|---|---|---|---|')
    await measure('nothing beside', async () => void (await pause(Math.min(ALONE_MS, rows))))
    await measure('read', upload)
    await measure('import', run)
    await measure('revert', revert)
    await measure('read again', upload)
    await measure('import again', run)
    await measure('read a third time', upload)
    await measure('import twice', run)
  } finally {
    await product.end('SIGTERM')
  }
}

const ms = (value: number) => value.toFixed(value < 10 ? 1 : 0)

function row({ title, seconds, waits, peakMb, import: done }: Step): string {
  const outcome =
    done === undefined
      ? ''
      : Object.entries(done.counts)
          .map(([name, count]) => `${count} ${name}`)
          .join(', ')
  return `| ${[title, seconds.toFixed(0), ms(waits.p50), ms(waits.p99), ms(waits.longest), waits.calls, ms(peakMb), outcome].join(' | ')} |`
}

/** Founders who are not in the world: each with an address, notes and a rating. */
function file(rows: number): string {
  const random = randomFrom('import')
  const lines = Array.from({ length: rows }, (_, at) => {
    const one = person(random)
    return `"${one.name}",${linkedInOf(one, random)},"Met at the fair, row ${at}",${(at % 10) + 1}`
  })
  return ['Name,LinkedIn,Notes,Rating', ...lines].join('\n')
}

function importer(url: string, { headers }: Caller, csv: string) {
  let id = ''
  const ask = async (method: 'GET' | 'POST', path: string, body?: string, type = 'application/json') => {
    const answer = await fetch(`${url}/api/imports${path}`, {
      method,
      headers: { ...headers, 'content-type': type },
      ...(body !== undefined && { body }),
    })
    if (!answer.ok) throw new Error(`${method} /imports${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as Import
  }
  const until = async (wanted: ImportState): Promise<Import> => {
    for (;;) {
      const now = await ask('GET', `/${id}`)
      if (now.state === 'failed') throw new Error(`The import failed: ${now.error}`)
      if (now.state === wanted) return now
      await pause(250)
    }
  }
  const act = (act: 'run' | 'revert', wanted: ImportState) => async () => {
    await ask('POST', `/${id}/${act}`, '{}')
    return until(wanted)
  }
  return {
    upload: async () => {
      id = (await ask('POST', '?name=people.csv', csv, 'application/octet-stream')).id
      return until('ready')
    },
    run: act('run', 'done'),
    revert: act('revert', 'reverted'),
  }
}

/** A fellow who works until `end`: lists, opens, searches and adds, one call after the other. */
function callOthers(url: string, { headers, page }: Caller) {
  const took: number[] = []
  let isOver = false
  const work = (async () => {
    const { rows } = await page('/api/founders?limit=50')
    const calls: (readonly ['GET' | 'POST', string, object?])[] = [
      ['GET', '/founders?limit=50'],
      ['GET', `/founders/${rows[0]?.id}`],
      ['GET', '/dashboard'],
      ['GET', '/founders?limit=50&search=water'],
      ['GET', '/notes/my-notes'],
      ['POST', '/companies', { name: 'Tern Water', notes: 'Met at the fair', rating: 5 }],
    ]
    for (let at = 0; !isOver; at += 1) {
      const [method, path, body] = calls[at % calls.length] as (typeof calls)[number]
      const began = performance.now()
      const answer = await fetch(`${url}/api${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      await answer.arrayBuffer()
      // The revert may have deleted the opened founder.
      if (!answer.ok && answer.status !== 404) throw new Error(`${method} ${path} answered ${answer.status}`)
      took.push(performance.now() - began)
      await pause(BETWEEN_CALLS_MS)
    }
  })()
  return {
    end: async (): Promise<Waits> => {
      isOver = true
      await work
      took.sort((a, b) => a - b)
      const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN
      return { p50: at(0.5), p99: at(0.99), longest: at(1), calls: took.length }
    },
  }
}
