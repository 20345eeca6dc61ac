import { linkedInCompany, linkedInCompanyPage } from '#server/records/keys.ts'
import { text } from '../findings.ts'

// Addresses on LinkedIn are keys to ask licensed providers with. Nothing of ours ever opens one.

export const profileAddress = (handle: string) => `https://www.linkedin.com/in/${encodeURIComponent(handle)}`

/** The address of a company's page, if this is one, in the form that all are kept in. */
export function companyPage(value: unknown): string | undefined {
  const slug = linkedInCompany(text(value, 2048) ?? '')
  return slug === null ? undefined : linkedInCompanyPage(slug)
}
