import { linkedInCompany } from '#server/records/keys.ts'
import { webAddress } from '../findings.ts'

// Addresses on LinkedIn are keys to ask licensed providers with. Nothing of ours ever opens one.

export const profileAddress = (handle: string) => `https://www.linkedin.com/in/${encodeURIComponent(handle)}`

export const companyAddress = (slug: string) => `https://www.linkedin.com/company/${encodeURIComponent(slug)}`

/** The address of a company's page, if this is one. */
export function companyPage(value: unknown): string | undefined {
  const address = webAddress(value)
  return address !== undefined && linkedInCompany(address) !== null ? address : undefined
}
