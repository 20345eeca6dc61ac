import type { Facts } from '#server/db/schema.ts'
import { infoOf } from '#server/records/fields.ts'

const plain = (value: unknown): string =>
  typeof value === 'string' ? value.trim() : typeof value === 'number' ? value.toLocaleString('en') : ''

/** The city of the headquarters, or the text that a provider gave for it. */
function placeOf(headquarters: unknown): string {
  const { city, address_formatted: address } = infoOf(headquarters)
  return plain(headquarters) || plain(city) || plain(address)
}

/** `1,200 employees`. Text with letters stays as the provider wrote it. */
function employeesOf(count: unknown): string {
  const text = plain(count)
  if (text === '' || /\p{L}/u.test(text)) return text
  return `${text} ${text === '1' ? 'employee' : 'employees'}`
}

/** `Logistics · Rotterdam · 51-200 employees`, of what is known. */
export function companyFacts({ industry, headquarters, employee_count: count }: Facts): string | null {
  const facts = [plain(industry), placeOf(headquarters), employeesOf(count)].filter((fact) => fact !== '')
  return facts.length > 0 ? facts.join(' · ') : null
}
