import { describe, expect, it } from 'vitest'
import { pictureLink } from './web-links.ts'

const OWN = '/api/founders/0199/picture'

describe('The address of a picture', () => {
  it('is that of the product, with the size that is wanted', () => {
    expect(pictureLink(`${OWN}?t=1763200000000`, 112)).toBe(`${OWN}?t=1763200000000&size=112`)
    expect(pictureLink(OWN, 56)).toBe(`${OWN}?size=56`)
  })

  it.each([
    undefined,
    '',
    'https://media.example.com/picture',
    'https://example.com/api/founders/0199/picture',
    `/${OWN}`,
    `/\t${OWN}`,
    '/\\example.com/picture',
    '/api/../../picture',
    '/api/auth/me',
    '/picture',
    'javascript:alert(1)',
  ])("is none when it is not the product's own: %j", (address) => {
    expect(pictureLink(address, 56)).toBeUndefined()
  })
})
