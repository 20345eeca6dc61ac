import { describe, expect, it } from 'vitest'
import { isAllowed, parseAllowedHosts } from './allowed-hosts.ts'

describe('Hosts that an operator allows', () => {
  it('are separated by commas or spaces, with a port or without', () => {
    expect(parseAllowedHosts(' Intranet.Example, wiki:8080\n[FD00:0::1] [::1]:3000 10.0.0.1:80,')).toEqual([
      { host: 'intranet.example', port: undefined },
      { host: 'wiki', port: 8080 },
      { host: 'fd00::1', port: undefined },
      { host: '::1', port: 3000 },
      { host: '10.0.0.1', port: 80 },
    ])
    expect(parseAllowedHosts('')).toEqual([])
  })

  it.each([
    'http://host',
    'host/path',
    'user@host',
    'host:0',
    'host:65536',
    'host:http',
    'host:',
    '::1',
    '[::1',
    'a b:c',
  ])('are undefined when one entry is invalid: %s', (text) => expect(parseAllowedHosts(text)).toBeUndefined())

  it.each([
    ['wiki', 'http://wiki/', true],
    ['wiki', 'https://WIKI.:8443/', true],
    ['wiki', 'http://sub.wiki/', false],
    ['wiki', 'http://notwiki/', false],
    ['wiki:8080', 'http://wiki:8080/', true],
    ['wiki:8080', 'http://wiki/', false],
    ['wiki:80', 'http://wiki/', true],
    ['wiki:80', 'https://wiki/', false],
    ['wiki:443', 'https://wiki/', true],
    ['127.0.0.1', 'http://2130706433:9999/', true],
    ['[::1]:80', 'http://[0:0::1]/', true],
    ['[::1]:80', 'http://[::2]/', false],
  ])('of %s allow %s: %s', (text, url, expected) => {
    expect(isAllowed(new URL(url), parseAllowedHosts(text) ?? [])).toBe(expected)
  })
})
