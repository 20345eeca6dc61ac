import { IconBriefcase, IconCalendarEvent, IconMapPin, IconUsers } from '@tabler/icons-react'
import type { Company, CompanyEnrichment } from '#contract/company.ts'
import classes from './company-facts.module.css'
import { readCompanyInfo } from './company-info.ts'

/** The known facts about a company, each with an icon. */
export const CompanyFacts = ({ record }: { record: Company }) => {
  const info = readCompanyInfo(record.additionalInfo)
  const facts = [
    { label: 'Industry', fact: plain(info.industry), Icon: IconBriefcase },
    { label: 'Employees', fact: employees(info.employee_count), Icon: IconUsers },
    { label: 'Founded', fact: founded(info.founded_year), Icon: IconCalendarEvent },
    { label: 'Headquarters', fact: formatPlace(info.headquarters), Icon: IconMapPin },
  ].filter(({ fact }) => fact !== '')
  if (facts.length === 0) return null
  return (
    <ul className={classes.facts} aria-label={`Facts about ${record.name}`}>
      {facts.map(({ label, fact, Icon }) => (
        <li key={label} className={classes.fact} title={label}>
          <Icon size={16} stroke={1.5} aria-hidden="true" className={classes.icon} />
          <span className="visually-hidden">{label}: </span>
          <bdi>{fact}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** A fact as text, where it is not shown as it is stored. */
export const formatFact = (field: string, value: string) => {
  if (field === 'employees') return employees(/^\d+$/.test(value) ? Number(value) : value)
  return field === 'founded' ? founded(value) : undefined
}

const plain = (fact: string | number | undefined) => String(fact ?? '').trim()

/** `1,200 employees`, `11-50 employees`. Text with letters stays as the provider wrote it. */
const employees = (count: CompanyEnrichment['employee_count']) => {
  const text = typeof count === 'number' ? count.toLocaleString('en') : plain(count)
  if (text === '' || /\p{L}/u.test(text)) return text
  return `${text} ${text === '1' ? 'employee' : 'employees'}`
}

const founded = (year: CompanyEnrichment['founded_year']) => {
  const text = plain(year)
  return /^\d+$/.test(text) ? `Founded ${text}` : text
}

export const formatPlace = (headquarters: CompanyEnrichment['headquarters']) =>
  typeof headquarters === 'object'
    ? plain(headquarters.address_formatted) || plain(headquarters.city)
    : plain(headquarters)
