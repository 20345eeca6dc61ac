import { headquarters, text, webAddress } from '#server/enrichment/findings.ts'
import type { CompanyFindings } from '#server/enrichment/provider.ts'
import type { Profile } from './client.ts'

export const toCompany = ({ description, location, blog }: Profile): CompanyFindings => ({
  headquarters: headquarters({ address: location }),
  description: text(description, 2_000),
  website: webAddress(blog),
})
