import { describe, expect, it } from 'vitest'
import {
  addressLine,
  count,
  emailAddress,
  firstOf,
  found,
  headquarters,
  mapFound,
  text,
  webAddress,
  year,
} from './findings.ts'

const NO_TEXT = [undefined, null, true, 7, Number.NaN, {}, [], ['a'], '', '  ', '\0', '\u200b', '\ud800']

describe('A value from a provider', () => {
  it.each([
    ['text', text],
    ['an e-mail address', emailAddress],
    ['a web address', webAddress],
  ])('is undefined where %s is of another type or invisible', (_, read) => {
    expect(NO_TEXT.map(read as (value: unknown) => unknown)).toEqual(NO_TEXT.map(() => undefined))
  })

  it('is text without invisible characters, with its line breaks', () => {
    expect(text(' a\u0007b\tc\r\nd\u202e ')).toBe('ab c\nd')
    expect(text('👩‍🚀 Zoë')).toBe('👩‍🚀 Zoë')
  })

  it('is text that is cut between characters, never inside one', () => {
    expect(text('😀'.repeat(301))).toBe('😀'.repeat(300))
    expect(text('abc def', 4)).toBe('abc')
  })

  it.each([
    ['a@b.co', 'a@b.co'],
    [' mailto:Jane@Orchard.example ', 'Jane@Orchard.example'],
    ['jane@søt.no', 'jane@søt.no'],
    ['a@b', undefined],
    ['a b@c.de', undefined],
    ['a@b@c.de', undefined],
    ['a@b..de', undefined],
    ['Jane <a@b.de>', undefined],
    [`${'a'.repeat(250)}@b.de`, undefined],
  ])('reads %j as the e-mail address %s', (given, address) => {
    expect(emailAddress(given)).toBe(address)
  })

  it.each([
    ['acme.com', 'https://acme.com'],
    ['acme.com/about', 'https://acme.com/about'],
    ['//acme.com', 'https://acme.com'],
    ['http://acme.com', 'http://acme.com'],
    ['bücher.example', 'https://bücher.example'],
    ['ftp://acme.com', undefined],
    ['javascript:alert(1)', undefined],
    ['data:image/png;base64,AAAA', undefined],
    ['https://user:secret@acme.com', undefined],
    ['jane@acme.com', undefined],
    ['acme', undefined],
    ['1.5', undefined],
    ['acme.com and more', undefined],
    [`https://acme.com/${'a'.repeat(2048)}`, undefined],
  ])('reads %j as the web address %s', (given, address) => {
    expect(webAddress(given)).toBe(address)
  })

  it.each([
    [2019, 2019],
    ['2019', 2019],
    ['2019-05-01T00:00:00Z', 2019],
    ['+2019-00-00T00:00:00Z', 2019],
    [new Date().getFullYear() + 1, undefined],
    [999, undefined],
    [2019.5, undefined],
    [-2019, undefined],
    [Number.NaN, undefined],
    ['20190', undefined],
    ['about 2019', undefined],
    [true, undefined],
  ])('reads %j as the year %s', (given, read) => {
    expect(year(given)).toBe(read)
  })

  it.each([
    [42, 42],
    ['42', 42],
    ['+83', 83],
    ['12,000', 12_000],
    ['12.0', 12],
    ['51-200', '51-200'],
    ['1,001 – 5,000 employees', '1001-5000'],
    ['10,001+ employees', '10001+'],
    ['200-51', undefined],
    [0, undefined],
    [-5, undefined],
    [1.5, undefined],
    [1e12, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ['many', undefined],
    [true, undefined],
  ])('reads %j as the count %s', (given, read) => {
    expect(count(given)).toBe(read)
  })

  it('is a place with only its known parts', () => {
    expect(headquarters({ address: ' Oslo, Norway ', city: 'Oslo' })).toEqual({
      address_formatted: 'Oslo, Norway',
      city: 'Oslo',
    })
    expect(Object.keys(headquarters({ address: true, city: 'Oslo' }) ?? {})).toEqual(['city'])
    expect(headquarters({ address: null })).toBeUndefined()
    expect(addressLine('1 Market St', null, '', true, 'Oslo')).toBe('1 Market St, Oslo')
    expect(addressLine(null)).toBeUndefined()
  })

  it('is the first readable value', () => {
    expect(firstOf(undefined, 'a', 'b')).toBe('a')
    expect(firstOf()).toBeUndefined()
  })

  it('is a finding with the fields that have a value, and not found without any', () => {
    expect(found({ a: 1, b: undefined })).toStrictEqual({ kind: 'found', findings: { a: 1 } })
    expect(found({ a: undefined })).toEqual({ kind: 'not-found' })
  })

  it('is mapped to our fields only where there is a record', () => {
    const toOurs = ({ a }: { a: number }) => ({ b: a })
    expect(mapFound({ kind: 'found', findings: { a: 1 } }, toOurs)).toEqual({ kind: 'found', findings: { b: 1 } })
    expect(mapFound({ kind: 'not-found' }, toOurs)).toEqual({ kind: 'not-found' })
  })
})
