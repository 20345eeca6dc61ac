import { describe, expect, it } from 'vitest'
import { CompanyEnrichment } from '#contract/company.ts'
import { FounderEnrichment } from '#contract/founder.ts'
import { readCompanyInfo } from '#web/companies/company-info.ts'
import { readFounderInfo } from '#web/founders/founder-info.ts'

/** Possible values of any field. */
const VALUES = [
  'text',
  '',
  7,
  1.5,
  true,
  null,
  [],
  {},
  { city: 'Zürich' },
  { address_formatted: 'Rämistrasse 1' },
  { city: {} },
  { address_formatted: 'x', city: 1 },
]

describe.each([
  ['a founder', readFounderInfo, FounderEnrichment],
  ['a company', readCompanyInfo, CompanyEnrichment],
] as const)('The enrichment of %s', (_kind, read, schema) => {
  const fields = Object.keys(schema.shape)

  it.each(fields)('in %s is kept if the contract allows it', (field) => {
    const readable = VALUES.filter((value) => field in read(JSON.stringify({ [field]: value })))
    const valid = VALUES.filter((value) => value !== '' && schema.safeParse({ [field]: value }).success)
    expect(readable).toEqual(valid)
  })

  it('keeps the fields of the right type', () => {
    const [first, second] = fields as [string, string]
    expect(read(JSON.stringify({ [first]: 'text', [second]: [], other: 'text' }))).toEqual({ [first]: 'text' })
  })

  it.each([null, '', 'no JSON', 'null', '7', '"text"', '[1]', '{"__proto__":{"bio":"x"}}'])(
    'in %j is empty',
    (text) => {
      expect(read(text)).toEqual({})
    },
  )
})
