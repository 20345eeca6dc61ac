import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '#server/test/test-app.ts'
import { createLog } from '../log.ts'

/** The log lines about forwarding after these requests, each with a header and its peer. */
async function reports(settings: Record<string, string>, requests: [header: string, ip: string][]) {
  const lines: string[] = []
  const write = (chunk: Buffer, _encoding: string, done: () => void) => {
    lines.push(String(chunk))
    done()
  }
  const test = await startTestApp(settings, createLog('warn', new Writable({ write })))
  for (const [header, ip] of requests) {
    await test.visitor().get('/healthz', { ip, headers: { [header]: 'for=203.0.113.9, 203.0.113.9' } })
  }
  await test.close()
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('TRUST_PROXY'))
}

describe('A forwarded header', () => {
  it('of an untrusted peer is logged once, with the setting to change', async () => {
    const found = await reports({}, [
      ['x-forwarded-for', '172.17.0.1'],
      ['forwarded', '172.17.0.1'],
      ['x-forwarded-for', '192.0.2.1'],
    ])
    expect(found).toEqual([expect.objectContaining({ level: 40, peer: '172.17.0.1' })])
    expect(found[0].msg).toContain('set TRUST_PROXY to its address')
    expect(JSON.stringify(found)).not.toContain('203.0.113.9')
  })

  it('is logged under either name', { tags: 'slow' }, async () => {
    expect(await reports({ TRUST_PROXY: '10.0.0.0/8' }, [['forwarded', '192.0.2.1']])).toHaveLength(1)
  })

  it.each(['loopback, 172.17.0.1', '1', 'true'])(
    'of a peer that TRUST_PROXY=%s trusts is not logged',
    { tags: 'slow' },
    async (TRUST_PROXY) => {
      expect(await reports({ TRUST_PROXY }, [['x-forwarded-for', '172.17.0.1']])).toEqual([])
    },
  )
})
