import fc from 'fast-check'

// Malformed records, derived from a valid one.

export type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null

/** The record with another value in place of each value that is neither an object nor a list. */
export function replaceLeaves(value: unknown, replace: (value: unknown, path: string) => unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((item, index) => replaceLeaves(item, replace, `${path}/${index}`))
  if (!isObject(value)) return replace(value, path)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, replaceLeaves(item, replace, `${path}/${key}`)]),
  )
}

export function leafPaths(value: unknown): string[] {
  const paths: string[] = []
  replaceLeaves(value, (_, path) => paths.push(path))
  return paths
}

/** The record with every field, all empty. */
export const blank = (answer: Json) => replaceLeaves(answer, () => null)

export const textsOf = (value: unknown): string[] => {
  const texts: string[] = []
  replaceLeaves(value, (leaf) => typeof leaf === 'string' && texts.push(leaf))
  return texts
}

const ODD = fc.oneof(
  fc.anything(),
  fc.constantFrom(true, null, Number.NaN, -1, 0, 1.5, 42, 99_999, 1e300, [], {}, [[]], [null]),
  fc.constantFrom('', ' ', '\0', 'a\u0007b', 'ab\ncd', '\ud800', '\u202etxt', '__proto__'),
  fc.constantFrom('12,000', '51-200', '+83', '-4', '0019', '9999-01-01', '2015-02-03'),
  fc.constantFrom('x@y', 'a@b.co', 'mailto:a@b.co', 'acme.com', '//acme.com', 'http://[', 'javascript:alert(1)'),
  fc.constantFrom('data:image/png;base64,AAAA', 'é'.repeat(20_000), '😀'.repeat(20_000)),
)

/**
 * Records of the same structure, in which any part may be missing or have any type. The outermost value stays an
 * object.
 */
export function similarTo(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value))
    return fc.array(fc.oneof(ODD, ...value.map((item) => orOdd(similarTo(item)))), { maxLength: 4 })
  if (!isObject(value)) return fc.constant(value)
  const fields = Object.fromEntries(Object.entries(value).map(([key, item]) => [key, orOdd(similarTo(item))]))
  return fc.record(fields, { requiredKeys: [] })
}

const orOdd = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 2, arbitrary }, { weight: 1, arbitrary: ODD })
