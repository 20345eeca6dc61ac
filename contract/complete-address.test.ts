import { describe, expect, it } from 'vitest'
import { completeAddress, completeProfile } from './plain-text.ts'

describe('An address without https://', () => {
  it.each([
    'linkedin.com/in/maya',
    'www.linkedin.com/in/maya?trk=1#about',
    'example.com',
    'example.com:8080/x',
    'sub.example.co.uk',
    'müller.example/päth',
  ])('%s is completed', (text) => {
    expect(completeAddress(text)).toBe(`https://${text}`)
  })

  it('is trimmed and completed', () => {
    expect(completeAddress(' linkedin.com/in/maya ')).toBe('https://linkedin.com/in/maya')
  })

  it.each([
    '',
    ' ',
    'https://www.linkedin.com/in/maya',
    'http://example.com',
    ' https://example.com ',
    'ftp://example.com',
    'mailto:maya@example.com',
    'javascript:alert(1)',
    'maya@example.com',
    '//example.com',
    '/in/maya',
    'maya',
    'v1.2',
    'not an address.com',
    'example.com/with space',
  ])('%j is unchanged', (text) => {
    expect(completeAddress(text)).toBe(text)
  })
})

describe('LinkedIn handles', () => {
  it.each(['ada-lovelace', 'in/ada-lovelace', '/in/ada-lovelace/', ' @ada-lovelace '])('%s is completed', (text) => {
    expect(completeProfile(text)).toBe('https://www.linkedin.com/in/ada-lovelace')
  })

  it.each(['Ada Lovelace', 'ab', 'in/', 'company/acme', 'x'.repeat(101), ''])('%s stays as it is', (text) => {
    expect(completeProfile(text)).toBe(text)
  })

  it('An address of LinkedIn is completed as any other', () => {
    expect(completeProfile('linkedin.com/in/ada')).toBe('https://linkedin.com/in/ada')
  })
})
