import { describe, expect, it } from 'vitest'
import { readSettings } from './env.ts'

describe('Settings', () => {
  it('are all optional', () => {
    expect(readSettings({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: undefined,
      teamDomain: 'example.com',
      programmeName: 'Venture Fellows',
      publicUrl: undefined,
      isHttps: false,
      trustProxy: false,
    })
  })

  it('count an empty variable as not set', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined })
  })

  it('are all checked at once, and every wrong one is named', () => {
    const wrong = {
      PORT: '70000',
      DATABASE_URL: 'mysql://x',
      TEAM_DOMAIN: 'not a domain',
      PUBLIC_URL: 'sourcebook',
      AUTH_SECRET: 'short',
      LOG_LEVEL: 'loud',
      THROTTLE_ACCOUNT_FREE: '-1',
      ENRICHMENT_PROVIDERS: 'harmonic, clearbit',
      FETCH_ALLOW_HOSTS: 'http://intranet',
    }
    expect(() => readSettings(wrong)).toThrow(
      [
        'Sourcebook cannot start, these settings are wrong:',
        '  PORT must be a whole number from 0 to 65535',
        '  DATABASE_URL must begin with postgresql://',
        '  TEAM_DOMAIN must be a domain such as example.com',
        '  PUBLIC_URL must be the address that people open, such as https://sourcebook.example.com',
        '  AUTH_SECRET must have at least 32 characters',
        '  LOG_LEVEL must be trace, debug, info, warn, error, fatal or silent',
        '  THROTTLE_ACCOUNT_FREE must be a whole number from 1 to 100',
        '  ENRICHMENT_PROVIDERS must be none, or some of harmonic, people_data_labs, apollo, coresignal, website, wikidata, github',
        '  FETCH_ALLOW_HOSTS must be hosts such as intranet.example.com or 10.1.2.3:8080, apart by commas',
      ].join('\n'),
    )
  })

  it('take the order of providers as people write it, and none for nobody', () => {
    const order = (ENRICHMENT_PROVIDERS: string) => readSettings({ ENRICHMENT_PROVIDERS }).enrichment.order
    expect(order('GitHub, people-data-labs')).toEqual(['github', 'people_data_labs'])
    expect(order('none')).toEqual([])
    expect(() => order('none, github')).toThrow('ENRICHMENT_PROVIDERS must be none, or some of')
    expect(readSettings({}).enrichment).toMatchObject({
      refreshDays: undefined,
      order: expect.arrayContaining(['website']),
    })
  })

  it('name a provider whose address is none', () => {
    expect(() => readSettings({ HARMONIC_BASE_URL: 'harmonic' })).toThrow(
      'HARMONIC_BASE_URL must be an address that begins with https:// or http://',
    )
  })

  it.each(['-team.example', 'team', 'a@team.example', 'xn--80ak6aa92e.com', 'team..example', 'team.example.'])(
    'refuse the team domain %s',
    (TEAM_DOMAIN) => {
      expect(() => readSettings({ TEAM_DOMAIN })).toThrow('TEAM_DOMAIN')
    },
  )

  it.each(['https://x.example/path', 'https://x.example/?a', 'ftp://x.example', 'https://x.example/#y'])(
    'refuse the public address %s',
    (PUBLIC_URL) => {
      expect(() => readSettings({ PUBLIC_URL })).toThrow('PUBLIC_URL')
    },
  )

  it('fold the team domain, and take the public address as its origin', () => {
    expect(readSettings({ TEAM_DOMAIN: 'Team.Example', PUBLIC_URL: 'https://Book.Example:443' })).toMatchObject({
      teamDomain: 'team.example',
      publicUrl: 'https://book.example',
      isHttps: true,
    })
  })

  it('trust proxies as said: all, none, some hops, some addresses', () => {
    expect(readSettings({ TRUST_PROXY: 'true' }).trustProxy).toBe(true)
    expect(readSettings({ TRUST_PROXY: 'false' }).trustProxy).toBe(false)
    expect(readSettings({ TRUST_PROXY: '10.0.0.0/8, loopback' }).trustProxy).toBe('10.0.0.0/8, loopback')
    const oneHop = readSettings({ TRUST_PROXY: '1' }).trustProxy as (address: string, hop: number) => boolean
    expect([oneHop('x', 0), oneHop('x', 1)]).toEqual([true, false])
  })
})
