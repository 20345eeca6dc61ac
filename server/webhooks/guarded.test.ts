import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { certificateFor } from '#server/guarded-fetch/test/certificate.ts'
import { type Internet, openInternet } from '#server/guarded-fetch/test/internet.ts'
import { quietLog } from '#server/test/quiet-log.ts'
import { createRinger } from './ring.ts'

const SITE = '93.184.216.34'
const target = { id: 'x', address: 'https://hooks.example/a', secret: `whsec_${Buffer.alloc(32).toString('base64')}` }

let internet: Internet
beforeEach(async () => {
  internet = await openInternet()
})
afterEach(() => internet.close())

const ring = () => createRinger({ channelAllowHosts: [] }, quietLog, internet.way)(target, 'cursor', new Date())

describe('A ring', () => {
  it('arrives at a public address, by https', async () => {
    const certificate = certificateFor('hooks.example')
    const usual = getCACertificates()
    setDefaultCACertificates([certificate.cert])
    onTestFinished(() => setDefaultCACertificates(usual))
    internet.name('hooks.example', SITE)
    await internet.serveSecurely(SITE, certificate, (_request, response) => response.writeHead(204).end())
    expect(await ring()).toBe(204)
  })

  it.each(['10.0.0.1', '127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd00::1'])(
    'does not reach a name that leads to %s, also where it led to a public address a moment before',
    async (address) => {
      internet.name('hooks.example', address)
      expect(await ring()).toBeNull()
      const answers = [SITE, address]
      internet.resolver('hooks.example', () => [answers.shift() ?? address])
      for (let tries = 0; tries < 3; tries += 1) expect(await ring()).toBeNull()
      expect(internet.canary().hits).toBe(0)
    },
  )
})
