import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Import } from '#contract/import.ts'
import { createXlsx, rowsXml } from '#server/import/read/files/test/create-xlsx.ts'
import { caller } from '#server/test/http-caller.ts'
import { residentMb } from '#server/test/resident.ts'
import { type ServerProcess, startServer } from '#server/test/server-process.ts'
import { HOSTILE, many, PATIENCE_MS, printLine, seconds, within } from './sizes.ts'
import { embedded } from './test/worlds.ts'

// Files that were made to hurt: others work on beside them, each ends in a sentence, and none is read again.

const GOOD = rowsXml(Array.from({ length: 301 }, (_, at) => [at === 0 ? 'Name' : `P${(at * 7919).toString(36)}v`]))
const nested = (count: number) => '<a>'.repeat(count)
const texts = (count: number) => Array.from({ length: count }, (_, at) => `<si><t>${at.toString(36)}</t></si>`).join('')

type HostileFile = [name: string, file: () => Buffer]

/** A file whose size depends on the length of the run. */
const sized = (most: number, what: string, create: (count: number) => Buffer): HostileFile => {
  const count = most * HOSTILE
  return [`${many(count)} ${what}`, () => create(count)]
}

const FILES: HostileFile[] = [
  [
    'a number format of 60,000 brackets',
    () =>
      createXlsx({
        sheets: { A: GOOD },
        styles: `<numFmts><numFmt numFmtId="200" formatCode="${'['.repeat(60_000)}"/></numFmts><cellXfs><xf numFmtId="200"/></cellXfs>`,
      }),
  ],
  ['200,000 nested tags', () => createXlsx({ sheets: { A: GOOD }, shared: nested(200_000) })],
  sized(2_000_000, 'nested tags below 300 rows', (count) => createXlsx({ sheets: { A: GOOD + nested(count) } })),
  ['1,100,000 shared texts', () => createXlsx({ sheets: { A: GOOD }, shared: texts(1_100_000) })],
  sized(2_000_000, 'commas in a row', (count) => Buffer.from(`Name,Notes\nAda,x\n${','.repeat(count)}\nBob,y\n`)),
  sized(2_000_000, 'cells in a row', (count) =>
    createXlsx({ sheets: { A: `${GOOD}<row>${'<c><v>1</v></c>'.repeat(count)}</row>` } }),
  ),
]

/** A server with two fellows: one uploads, the other one works. */
async function startWorld() {
  const settings = embedded()
  let server: ServerProcess = await startServer({ settings })
  onTestFinished(async () => void (await server.end('SIGKILL')))
  const [one, other] = [caller(), caller()]
  await one.join(server)
  await other.join(server, 'grace@mit.edu')
  const upload = async (by: typeof one, body: string | Buffer | ReadableStream) => {
    const headers = { ...by.headers(), 'content-type': 'application/octet-stream' }
    const sent = { method: 'POST', headers, body, duplex: 'half' }
    const answer = await fetch(`${server.url}/api/imports?name=people.xlsx`, sent as RequestInit)
    return { status: answer.status, body: (await answer.json()) as Import }
  }
  const get = async (by: typeof one, id: string) =>
    (await (await by.call(server, 'GET', `/imports/${id}`)).json()) as Import
  const settled = async (by: typeof one, id: string) => {
    for (;;) {
      const now = await get(by, id)
      if (now.state !== 'reading') return now
      await pause(50)
    }
  }
  /** The longest wait of the other fellow for a list, and the memory of all processes at most, until `work` ends. */
  const beside = async <Result>(work: Promise<Result>) => {
    let isOver = false
    let longestMs = 0
    let peakMb = 0
    const watching = (async () => {
      while (!isOver) {
        const began = performance.now()
        expect((await other.call(server, 'GET', '/founders?limit=50')).status).toBe(200)
        longestMs = Math.max(longestMs, performance.now() - began)
        peakMb = Math.max(peakMb, residentMb(server.pid))
        await pause(50)
      }
    })()
    const began = performance.now()
    const result = await work.finally(() => {
      isOver = true
    })
    const tookMs = performance.now() - began
    await watching
    return { result, tookMs, longestMs, peakMb }
  }
  const restart = async () => {
    const began = performance.now()
    const { code } = await server.end('SIGTERM')
    const stopMs = performance.now() - began
    server = await startServer({ settings })
    return { code, stopMs }
  }
  // The first import opens the queue and a process.
  await settled(one, (await upload(one, 'Name\nFirst One')).body.id)
  return {
    one,
    other,
    upload,
    get,
    settled,
    beside,
    restart,
    server: () => server,
    memory: () => residentMb(server.pid),
  }
}

describe('While a hostile file is read', { timeout: PATIENCE_MS }, () => {
  it('others work on, it ends in a sentence, and it is not read again after a restart', async () => {
    const { one, upload, get, settled, beside, restart, memory } = await startWorld()
    const before = memory()
    let [worstMs, worstMb, worstTookMs] = [0, 0, 0]
    const made: Import[] = []
    for (const [name, file] of FILES) {
      const body = file()
      const work = async () => {
        const answer = await upload(one, body)
        return answer.status === 201 ? await settled(one, answer.body.id) : answer.body
      }
      const { result, tookMs, longestMs, peakMb } = await beside(work())
      const end = 'id' in result ? [result.state, result.error] : ['refused', (result as { error?: string }).error]
      printLine(
        `Hostile files: ${name}, ${many(body.length)} bytes: ${end.join(': ')}, ${seconds(tookMs)}, list ${seconds(longestMs)}, +${Math.round(peakMb - before)} MB`,
      )
      expect([name, end[0] === 'ready' || typeof end[1] === 'string']).toEqual([name, true])
      if ('id' in result) made.push(result)
      worstMs = Math.max(worstMs, longestMs)
      worstMb = Math.max(worstMb, peakMb - before)
      worstTookMs = Math.max(worstTookMs, tookMs)
    }
    expect(worstMs).toBeLessThan(within(1_000))
    expect(worstTookMs).toBeLessThan(within(60_000))
    expect(worstMb).toBeLessThan(400)
    const { code, stopMs } = await restart()
    expect(code).toBe(0)
    expect(stopMs).toBeLessThan(10_000)
    await pause(1_000)
    for (const { id, state } of made) expect((await get(one, id)).state).toBe(state)
  })

  it('a server that is asked to stop ends within 10 s', async () => {
    const { one, upload, restart } = await startWorld()
    const cells = '<row><c t="str"><v>Name</v></c></row>'.repeat(5_000_000 * Math.min(1, 2 * HOSTILE))
    const uploading = upload(one, createXlsx({ sheets: { A: cells } })).catch(() => undefined)
    await pause(1_500)
    const { code, stopMs } = await restart()
    expect(code).toBe(0)
    expect(stopMs).toBeLessThan(10_000)
    await uploading
  })
})

describe('Twenty changes of the dialect of a large workbook at the same time', { timeout: PATIENCE_MS }, () => {
  it('leave the server to others, and its memory', async () => {
    const { one, upload, settled, beside, memory, server } = await startWorld()
    const { status, body } = await upload(one, createXlsx({ sheets: { A: GOOD }, shared: texts(900_000 * HOSTILE) }))
    expect(status).toBe(201)
    expect((await settled(one, body.id)).state).toBe('ready')
    const before = memory()
    const change = () => one.call(server(), 'PATCH', `/imports/${body.id}`, { dialect: body.dialect })
    const { result, longestMs, peakMb } = await beside(Promise.all(Array.from({ length: 20 }, change)))
    const statuses = result.map((answer) => answer.status)
    printLine(
      `Hostile files: 20 PATCH: ${statuses.join(' ')}, list ${seconds(longestMs)}, +${Math.round(peakMb - before)} MB`,
    )
    expect(statuses).toContain(200)
    expect(statuses.filter((status) => ![200, 409, 503].includes(status))).toEqual([])
    expect(longestMs).toBeLessThan(within(1_000))
    expect(peakMb - before).toBeLessThan(400)
    expect((await settled(one, body.id)).state).toBe('ready')
  })
})

describe('Slow uploads', { timeout: PATIENCE_MS }, () => {
  it('of three fellows do not delay the small file of another', async () => {
    const { other, upload, settled, server } = await startWorld()
    const stop = new AbortController()
    const slow = await Promise.all(
      [1, 2, 3]
        .map(async (at) => {
          const fellow = caller()
          await fellow.join(server(), `slow${at}@mit.edu`)
          const body = new ReadableStream({
            async pull(controller) {
              await pause(500, undefined, { signal: stop.signal }).catch(() => undefined)
              if (stop.signal.aborted) controller.close()
              else controller.enqueue(new TextEncoder().encode('abc'))
            },
          })
          return upload(fellow, body).catch(() => undefined)
        })
        .map((started) => ({ started })),
    )
    const began = performance.now()
    const { body } = await upload(other, `Name\n${'Uma Umber\n'.repeat(100)}`)
    expect((await settled(other, body.id)).state).toBe('ready')
    expect(performance.now() - began).toBeLessThan(within(10_000))
    stop.abort()
    await Promise.all(slow.map(({ started }) => started))
  })
})
