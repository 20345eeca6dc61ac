import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import type { Import } from '#contract/import.ts'
import { KEYS } from '#server/enrichment/test/enriched-app.ts'
import { startProviderServer } from '#server/enrichment/test/provider-server.ts'
import type { caller } from '#server/test/http-caller.ts'

// What goes on after its request was answered: imports and runs of enrichment.

type Client = ReturnType<typeof caller>
type Server = { url: string }

const ROWS = 300
const REPEATED_AFTER_MS = 100

/** Repeats what fails until it is answered with this status, or with a conflict: it was done before. */
async function insist(status: number, send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const answer = await send().catch(() => undefined)
    if (answer?.status === status || answer?.status === 409) return answer
    if (answer && answer.status !== 503) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer?.body?.cancel()
    await pause(REPEATED_AFTER_MS)
  }
}

/** Imports one file after the other. Each has rows of its own. */
export function startImporting({ call, headers }: Client, server: Server) {
  const names: string[] = []
  let isOver = false

  async function until(id: string, wanted: Import['state']) {
    for (;;) {
      const { state, error } = (await (await insist(200, () => call(server, 'GET', `/imports/${id}`))).json()) as Import
      if (state === wanted) return
      if (state === 'failed') throw new Error(`An import failed: ${error}`)
      await pause(REPEATED_AFTER_MS)
    }
  }

  async function importOne() {
    // Names that are like those of another file would be asked about.
    const rows = Array.from({ length: ROWS }, () => `Imported ${randomUUID()}`)
    const csv = ['Name,Notes', ...rows.map((name) => `${name},Met`)]
    const upload = () =>
      fetch(`${server.url}/api/imports?name=people.csv`, {
        ...{ method: 'POST', body: csv.join('\n') },
        headers: { ...headers(), 'content-type': 'application/octet-stream' },
      })
    const { id } = (await (await insist(201, upload)).json()) as Import
    await until(id, 'ready')
    await insist(202, () => call(server, 'POST', `/imports/${id}/run`))
    names.push(...rows)
    await until(id, 'done')
  }

  const importing = (async () => {
    while (!isOver) await importOne()
  })()
  return {
    /** The names of all rows, once they are there. */
    async stop(): Promise<string[]> {
      isOver = true
      await importing
      return names
    },
  }
}

/** A provider that takes its time, and the settings of servers that ask it. */
export async function openProvider() {
  const provider = await startProviderServer()
  onTestFinished(() => provider.close())
  provider.on('POST /persons', {
    ...{ json: { experience: [{ title: 'CEO', is_current_position: true }] }, delayMs: 500 },
  })
  return {
    provider,
    settings: {
      ...{ ...KEYS, ENRICHMENT_PROVIDERS: 'harmonic', HARMONIC_BASE_URL: provider.url },
      // One fellow adds more founders than in a day.
      ...{ ENRICHMENT_DAILY_LOOKUPS: '100000', ENRICHMENT_DAILY_LOOKUPS_TOTAL: '100000' },
    },
  }
}

type Provider = Awaited<ReturnType<typeof openProvider>>['provider']

/** Adds founders whom the provider knows, one after the other. */
export function startEnriching({ call }: Client, server: Server, provider: Provider) {
  const added: { id: string; profile: string }[] = []
  let isOver = false

  const adding = (async () => {
    while (!isOver) {
      const key = randomUUID()
      const profile = `https://www.linkedin.com/in/${key}`
      const input = { name: `Enriched ${key}`, linkedIn: profile, notes: 'Met' }
      const answer = await insist(201, () => call(server, 'POST', '/founders', input, { 'idempotency-key': key }))
      added.push({ id: ((await answer.json()) as { id: string }).id, profile })
      await pause(REPEATED_AFTER_MS)
    }
  })()
  return {
    /** How many founders were enriched, and how often the provider was asked again about one. */
    async stop(): Promise<{ enriched: number; askedAgain: number }> {
      isOver = true
      await adding
      for (const { id } of added) {
        for (;;) {
          const answer = await insist(200, () => call(server, 'GET', `/founders/${id}`))
          const { additionalInfo } = (await answer.json()) as { additionalInfo: string | null }
          if (additionalInfo !== null) break
          await pause(REPEATED_AFTER_MS)
        }
      }
      const times = added.map(({ profile }) => provider.requests.filter(({ query }) => query.linkedin_url === profile))
      return { enriched: added.length, askedAgain: times.filter(({ length }) => length > 1).length }
    },
  }
}

/** The names of all founders, as often as they are there. */
export async function namesOf({ call }: Client, server: Server): Promise<string[]> {
  const names: string[] = []
  for (let path: string | undefined = '/founders?limit=500'; path; ) {
    const answer = await call(server, 'GET', path)
    names.push(...((await answer.json()) as { name: string }[]).map(({ name }) => name))
    path = /^<\/api(.+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return names
}
