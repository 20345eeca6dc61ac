import { count, firstOf, headquarters, text, webAddress, year } from '#server/enrichment/findings.ts'
import type { CompanyFindings } from '#server/enrichment/provider.ts'
import { linkedInCompanyPage } from '#server/names/keys.ts'
import {
  amountIn,
  EMPLOYEES,
  FOUNDED,
  HEADQUARTERS,
  INDUSTRY,
  idIn,
  LINKEDIN,
  latestValue,
  timeIn,
  values,
  WEBSITE,
} from './claims.ts'
import { type Entity, isId, type Labels } from './client.ts'

const INDUSTRIES = 3

/** The items that a company's statements refer to, whose labels are needed. */
export const referredTo = (company: Entity): string[] => [...industries(company), ...seats(company)]

export const toCompany = (company: Entity, labels: Labels): CompanyFindings => ({
  industry: text(called(industries(company), labels).join(', ')),
  employee_count: count(amountIn(latestValue(company, EMPLOYEES))),
  founded_year: firstOf(...values(company, FOUNDED).map((value) => year(timeIn(value)))),
  headquarters: headquarters({ city: called(seats(company), labels)[0] }),
  description: text(company.descriptions.en?.value),
  website: firstOf(...values(company, WEBSITE).map(webAddress)),
  linkedIn: firstOf(...values(company, LINKEDIN).map(pageOnLinkedIn)),
})

function pageOnLinkedIn(value: unknown): string | undefined {
  const key = text(value, 100)
  return key && linkedInCompanyPage(key)
}

const industries = (company: Entity) => values(company, INDUSTRY).map(idIn).filter(isId).slice(0, INDUSTRIES)

const seats = (company: Entity) => values(company, HEADQUARTERS).map(idIn).filter(isId).slice(0, 1)

const called = (ids: string[], labels: Labels) => ids.flatMap((id) => text(labels[id]) ?? [])
