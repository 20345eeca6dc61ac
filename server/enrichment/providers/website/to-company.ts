import { Parser } from 'htmlparser2'
import { count, firstOf, headquarters, text, webAddress, year } from '#server/enrichment/findings.ts'
import type { CompanyFindings } from '#server/enrichment/provider.ts'
import { linkedInCompanyPage } from '#server/names/keys.ts'
import { companyPage } from '../linked-in.ts'
import { first, isNode, type Node, ownOrganisations } from './json-ld.ts'
import type { Page } from './read-page.ts'

const DESCRIPTION_MAX = 2_000
const LINE_MAX = 200
const TOPICS = 3
/** A longer list is no longer readable. */
const LIST_MAX = 50

/** The company described by the pages of the site on `hosts`. Structured data takes precedence over prose. */
export function toCompany(pages: Page[], hosts: string[]): CompanyFindings {
  const organisations = pages.flatMap(({ jsonLd, url }) => ownOrganisations(jsonLd, hosts, url))
  const said = <Value>(read: (organisation: Node) => Value | undefined) => firstOf(...organisations.map(read))
  return {
    industry: said(industryOf),
    employee_count: said(({ numberOfEmployees }) => employeesOf(numberOfEmployees)),
    founded_year: said(({ foundingDate }) => year(first(foundingDate))),
    headquarters: said(({ address, location }) => placeOf(address) ?? placeOf(location)),
    description: firstOf(
      said(({ description }) => plainText(first(description), DESCRIPTION_MAX)),
      ...pages.map(({ ogDescription }) => plainText(ogDescription, DESCRIPTION_MAX)),
      ...pages.map(({ metaDescription }) => plainText(metaDescription, DESCRIPTION_MAX)),
    ),
    linkedIn: said(({ sameAs }) => firstOf(...listOf(sameAs).map(companyPage))) ?? firstOf(...pages.map(onlyLink)),
  }
}

function industryOf({ industry, knowsAbout }: Node): string | undefined {
  const topics = listOf(knowsAbout)
    .map((topic) => plainText(nameOf(topic), LINE_MAX))
    .filter((topic) => topic !== undefined && webAddress(topic) === undefined)
  return plainText(nameOf(first(industry)), LINE_MAX) ?? plainText(topics.slice(0, TOPICS).join(', '), LINE_MAX)
}

/** A number, a text, or a QuantitativeValue with a value or a range. */
function employeesOf(given: unknown): number | string | undefined {
  const value = first(given)
  if (!isNode(value)) return count(value)
  const [least, most] = [count(first(value.minValue)), count(first(value.maxValue))]
  if (least === undefined) return count(first(value.value))
  return count(first(value.value)) ?? count(most === undefined ? `${least}+` : `${least}-${most}`)
}

/** A text, a PostalAddress, or a Place that has one. */
function placeOf(given: unknown): CompanyFindings['headquarters'] {
  const place = first(given)
  const value = isNode(place) && place.address !== undefined ? first(place.address) : place
  if (!isNode(value)) return headquarters({ address: plainText(value, LINE_MAX) })
  const line = (part: unknown) => plainText(nameOf(first(part)), LINE_MAX)
  const city = line(value.addressLocality)
  const lines = [line(value.streetAddress), city, line(value.addressRegion), line(value.postalCode)]
  const address = [...lines, line(value.addressCountry)].filter((part) => part !== undefined).join(', ')
  return headquarters({ address, city })
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, LIST_MAX) : [value])

const nameOf = (value: unknown): unknown => (isNode(value) ? first(value.name) : value)

/** A page that links to several companies does not identify one of them. */
function onlyLink({ linkedIn }: Page): string | undefined {
  const [only, ...others] = linkedIn
  return only !== undefined && others.length === 0 ? linkedInCompanyPage(only) : undefined
}

/** More than is ever kept, and little enough to parse in one go. */
const READ_MAX = 20_000

/** Plain text on one line: tags removed, entities decoded, at most `max` code points. */
function plainText(value: unknown, max: number): string | undefined {
  if (typeof value === 'number') return text(String(value), max)
  if (typeof value !== 'string') return undefined
  const start = value.slice(0, READ_MAX)
  return text((/[<&]/.test(start) ? withoutMarkup(start) : start).replace(/\s+/g, ' '), max)
}

function withoutMarkup(html: string): string {
  const pieces: string[] = []
  const parser = new Parser({
    // A tag separates words.
    onopentagname: () => pieces.push(' '),
    ontext: (piece) => pieces.push(piece),
  })
  parser.end(html)
  return pieces.join('')
}
