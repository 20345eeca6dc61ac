import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CompanyEnrichment } from '#contract/company.ts'
import { read, script } from './fixtures/read.ts'

describe('Any page', () => {
  const json = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.array(tie('value'), { maxLength: 3 }), tie('node')),
    node: fc.record(
      {
        '@type': fc.constantFrom<unknown>('Organization', ['Corporation'], 'WebSite', 7, null),
        '@id': fc.constantFrom<unknown>('#a', 'https://acme.example/#b', 3),
        '@graph': tie('value'),
        '@value': tie('value'),
        url: tie('value'),
        publisher: tie('value'),
        name: tie('value'),
        description: fc.oneof(fc.string({ unit: 'binary' }), tie('value')),
        industry: tie('value'),
        knowsAbout: tie('value'),
        numberOfEmployees: fc.oneof(
          fc.double(),
          fc.record({ value: tie('value'), minValue: fc.integer() }),
          tie('value'),
        ),
        foundingDate: fc.oneof(fc.integer(), fc.date().map(String), tie('value')),
        address: fc.oneof(fc.record({ addressLocality: tie('value'), addressCountry: tie('value') }), tie('value')),
        sameAs: fc.oneof(fc.constant('https://linkedin.com/company/%f0%9f'), tie('value')),
      },
      { requiredKeys: [] },
    ),
  }))
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '<script type="application/ld+json">',
      '</script>',
      '<!--',
      '<meta name=description content="',
      '<a href=',
    ),
    json.value.map((value) => script(JSON.stringify(value))),
    fc.string().map((address) => `<a href="//linkedin.com/company/${address}">`),
  )

  it('yields only values that the contract accepts', { tags: 'slow' }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 6 }), async (pieces) => {
        const { linkedIn, ...findings } = await read(pieces.join(''))
        expect(CompanyEnrichment.strict().parse(findings)).toEqual(findings)
        if (linkedIn !== undefined) expect(linkedIn).toMatch(/^https:\/\/www\.linkedin\.com\/company\/[^/]+$/)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['nested tags', '<b>'.repeat(666_666)],
    ['nested data', script('{"a":['.repeat(20_000))],
    ['links', '<a href=/about>'.repeat(133_333)],
    ['one tag', `<a ${'b=c '.repeat(500_000)}>`],
  ])('of two megabytes of %s blocks no other request', async (_, html) => {
    let longest = 0
    let last = process.threadCpuUsage().user
    const beat = setInterval(() => {
      const now = process.threadCpuUsage().user
      longest = Math.max(longest, now - last)
      last = now
    })
    expect(await read(html)).toEqual({})
    clearInterval(beat)
    // Microseconds per slice: ten times the measured value, and a thousandth of the time with a stack of tags.
    expect(longest).toBeLessThan(300_000)
  })
})
