import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readSettings, settingNames } from './ops/settings.ts'

describe('Settings', () => {
  it('are all optional', () => {
    expect(readSettings({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      databaseUrl: undefined,
      teamDomain: 'example.com',
      programmeName: 'Venture Fellows',
      signUp: undefined,
      joinDomains: undefined,
      publicUrl: undefined,
      isHttps: false,
      trustProxy: false,
    })
  })

  it('set up single sign-on in the order in which the page shows it', () => {
    const { sso } = readSettings({
      OIDC_ISSUER: 'https://login.campus.edu',
      OIDC_CLIENT_ID: 'a',
      OIDC_CLIENT_SECRET: 'b',
      OIDC_NAME: 'Campus',
      MICROSOFT_CLIENT_ID: 'c',
      MICROSOFT_CLIENT_SECRET: 'd',
      MICROSOFT_TENANT: 'campus.edu',
    })
    expect(sso).toEqual([
      {
        id: 'microsoft',
        name: 'Microsoft',
        issuer: 'https://login.microsoftonline.com/campus.edu/v2.0',
        clientId: 'c',
        clientSecret: 'd',
      },
      { id: 'oidc', name: 'Campus', issuer: 'https://login.campus.edu', clientId: 'a', clientSecret: 'b' },
    ])
  })

  it('of single sign-on and mail are named when they are invalid or incomplete', () => {
    const wrong = { SMTP_URL: 'mail.example.com', MAIL_FROM: 'no-address', PASSWORD_MIN_LENGTH: '5' }
    expect(() => readSettings(wrong)).toThrow(
      [
        '  SMTP_URL must be an address such as smtps://user:password@mail.example.com',
        '  MAIL_FROM must be an address such as Sourcebook <sourcebook@example.com>',
        '  PASSWORD_MIN_LENGTH must be a whole number from 6 to 64',
      ].join('\n'),
    )
    expect(() => readSettings({ GOOGLE_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' })).toThrow(
      /GOOGLE_CLIENT_SECRET must be set with GOOGLE_CLIENT_ID(.|\n)*OIDC_CLIENT_ID must be set with OIDC_CLIENT_SECRET/,
    )
  })

  it('treat an empty variable as not set', () => {
    expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined })
  })

  it('are all checked together, and every invalid one is named', () => {
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
        'Sourcebook cannot start because these settings are wrong:',
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

  it('accept the names of providers as people write them, and "none" for no provider', () => {
    const order = (ENRICHMENT_PROVIDERS: string) => readSettings({ ENRICHMENT_PROVIDERS }).enrichment.order
    expect(order('GitHub, people-data-labs')).toEqual(['github', 'people_data_labs'])
    expect(order('none')).toEqual([])
    expect(() => order('none, github')).toThrow('ENRICHMENT_PROVIDERS must be none, or some of')
    expect(readSettings({}).enrichment).toMatchObject({
      refreshDays: undefined,
      order: expect.arrayContaining(['website']),
    })
  })

  it('name a provider with an invalid address', () => {
    expect(() => readSettings({ HARMONIC_BASE_URL: 'harmonic' })).toThrow(
      'HARMONIC_BASE_URL must be an address that begins with https:// or http://',
    )
  })

  it('accept the domains that may join as people write them, and refuse any other than .edu domains', () => {
    expect(readSettings({ JOIN_DOMAINS: 'MIT.edu, cs.foo.edu' }).joinDomains).toEqual(['mit.edu', 'cs.foo.edu'])
    for (const JOIN_DOMAINS of ['edu', '.edu', 'mit.edu, firm.example', '@mit.edu', 'mit.edu.evil.com', ',']) {
      expect(() => readSettings({ JOIN_DOMAINS })).toThrow('JOIN_DOMAINS must be .edu domains such as mit.edu')
    }
    expect(() => readSettings({ SIGN_UP: 'closed' })).toThrow('SIGN_UP must be open, approval or invited')
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

  it('lower the case of the team domain, and reduce the public address to its origin', () => {
    expect(readSettings({ TEAM_DOMAIN: 'Team.Example', PUBLIC_URL: 'https://Book.Example:443' })).toMatchObject({
      teamDomain: 'team.example',
      publicUrl: 'https://book.example',
      isHttps: true,
    })
  })

  it('configure trusted proxies: all, none, some hops, some addresses', () => {
    expect(readSettings({ TRUST_PROXY: 'true' }).trustProxy).toBe(true)
    expect(readSettings({ TRUST_PROXY: 'false' }).trustProxy).toBe(false)
    expect(readSettings({ TRUST_PROXY: '10.0.0.0/8, loopback' }).trustProxy).toBe('10.0.0.0/8, loopback')
    const oneHop = readSettings({ TRUST_PROXY: '1' }).trustProxy as (address: string, hop: number) => boolean
    expect([oneHop('x', 0), oneHop('x', 1)]).toEqual([true, false])
  })

  it('are exactly those in the table of docs/operations.md, once each', () => {
    const page = readFileSync(new URL('../docs/operations.md', import.meta.url), 'utf8')
    const table = page.slice(page.indexOf('## Settings'), page.indexOf('\n## ', page.indexOf('## Settings') + 1))
    const named = [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
    )
    const ofProviders = (name: string) => /_(API_KEY|BASE_URL)$/.test(name)
    expect(named.filter((name) => !ofProviders(name)).sort()).toEqual(
      settingNames.filter((name) => !ofProviders(name)).sort(),
    )
    expect(named.filter(ofProviders)).toEqual(['<PROVIDER>_API_KEY', '<PROVIDER>_BASE_URL'])
  })
})
