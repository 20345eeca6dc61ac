import type { CompanyEnrichment } from '#contract/company.ts'
import type { FounderEnrichment } from '#contract/founder.ts'
import type { Random } from './random.ts'
import { BIOS, DESCRIPTIONS, INDUSTRIES, TITLES } from './sentences.ts'
import { cityName, coinedName, companyName } from './words.ts'

// The public data of records. Fields are present or missing as with real providers.

export function founderKnown(random: Random): FounderEnrichment {
  const product = coinedName(random)
  const site = `${product.toLowerCase()}.example`
  return {
    current_title: random.one(TITLES),
    current_company: companyName(product, random),
    ...(random.chance(0.7) && { bio: `${random.one(BIOS)(random)} ${random.one(BIOS)(random)}` }),
    ...(random.chance(0.25) && { email: `hello${random.below(1000)}@${site}` }),
    ...(random.chance(0.2) && { website: `https://${site}` }),
  }
}

export function companyKnown(random: Random): CompanyEnrichment {
  const city = cityName(random)
  return {
    industry: random.one(INDUSTRIES),
    employee_count: random.chance(0.5) ? random.one(['1-10', '11-50', '51-200', '201-500']) : random.between(2, 900),
    ...(random.chance(0.8) && { founded_year: random.between(2005, 2025) }),
    ...(random.chance(0.8) && { headquarters: random.chance(0.5) ? city : { city, address_formatted: `${city}, HQ` } }),
    ...(random.chance(0.5) && { description: random.one(DESCRIPTIONS)(random) }),
  }
}
