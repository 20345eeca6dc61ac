import { describe, expect, it } from 'vitest'
import { pictureSources } from './web-links.ts'

const OWN = '/api/founders/0199/picture'

describe('The address of a picture', () => {
  it('is that of the product, in a size for every screen', () => {
    expect(pictureSources(`${OWN}?t=1763200000000`)).toEqual({
      src: `${OWN}?t=1763200000000&size=56`,
      srcSet: `${OWN}?t=1763200000000&size=56 1x, ${OWN}?t=1763200000000&size=112 2x, ${OWN}?t=1763200000000&size=168 3x`,
    })
    expect(pictureSources(OWN)?.src).toBe(`${OWN}?size=56`)
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
    expect(pictureSources(address)).toBeUndefined()
  })
})
