import type { Claim, Entity } from './client.ts'

// The statements about a Wikidata item. Properties are numbered; these are the ones that are read.

export const INSTANCE_OF = 'P31'
export const HEADQUARTERS = 'P159'
export const INDUSTRY = 'P452'
export const FOUNDED = 'P571'
export const WEBSITE = 'P856'
export const EMPLOYEES = 'P1128'
export const LINKEDIN = 'P4264'
const AT = 'P585'
const UNTIL = 'P582'

/** Values that are not deprecated, including former ones. */
export const allValues = (entity: Entity, property: string): unknown[] => standing(entity, property).map(valueIn)

/** Current values: without ended ones, and only the preferred ones if there are any. */
export const values = (entity: Entity, property: string): unknown[] => current(entity, property).map(valueIn)

/** The value with the latest date; without dates, the first. */
export function latestValue(entity: Entity, property: string): unknown {
  const date = (claim: Claim) => timeIn(claim.qualifiers[AT]?.[0]?.datavalue.value) ?? ''
  const [latest] = current(entity, property).sort((one, other) => date(other).localeCompare(date(one)))
  return latest && valueIn(latest)
}

export const idIn = (value: unknown): unknown => fieldOf(value, 'id')

/** `+2015-00-00T00:00:00Z`; undefined when only the decade or century is known. */
export function timeIn(value: unknown): string | undefined {
  const [time, precision] = [fieldOf(value, 'time'), fieldOf(value, 'precision')]
  const isVague = typeof precision === 'number' && precision < 9
  return typeof time === 'string' && !isVague ? time : undefined
}

/** `+83` */
export const amountIn = (value: unknown): unknown => fieldOf(value, 'amount')

const standing = (entity: Entity, property: string) =>
  (entity.claims[property] ?? []).filter((claim) => claim.rank !== 'deprecated' && valueIn(claim) !== undefined)

function current(entity: Entity, property: string): Claim[] {
  const claims = standing(entity, property).filter(({ qualifiers }) => qualifiers[UNTIL] === undefined)
  const preferred = claims.filter(({ rank }) => rank === 'preferred')
  return preferred.length > 0 ? preferred : claims
}

/** Undefined for a value that is marked as unknown or as none. */
const valueIn = ({ mainsnak }: Claim) => (mainsnak.snaktype === 'value' ? mainsnak.datavalue.value : undefined)

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
