import { linkedInCompany, linkedInCompanyPage } from '#server/names/keys.ts'
import { text } from '../findings.ts'

// LinkedIn addresses are keys for licensed providers. The product never opens one.

export const profileAddress = (handle: string) => `https://www.linkedin.com/in/${encodeURIComponent(handle)}`

/** The address of a company's page in its stored form, if this is one. */
export function companyPage(value: unknown): string | undefined {
  const slug = linkedInCompany(text(value, 2048) ?? '')
  return slug === null ? undefined : linkedInCompanyPage(slug)
}
