import { describe, expect, it } from 'vitest'
import { networkKey } from './network-key.ts'

describe('The key of a network', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::ffff:2', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ])('of %s is %s', (ip, key) => {
    expect(networkKey(ip)).toBe(key)
  })
})
