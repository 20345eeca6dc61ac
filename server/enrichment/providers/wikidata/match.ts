import type { CompanySubject } from '#server/enrichment/provider.ts'
import { domain } from '#server/names/keys.ts'
import {
  allValues,
  EMPLOYEES,
  FOUNDED,
  HEADQUARTERS,
  INDUSTRY,
  INSTANCE_OF,
  idIn,
  LINKEDIN,
  WEBSITE,
} from './claims.ts'
import type { Entity } from './client.ts'

const HUMAN = 'Q5'

/**
 * The item with the company's domain or LinkedIn page, because names alone are ambiguous. A product may have the same
 * website, so among several the item with the most company properties wins.
 */
export function bestMatch(entities: Entity[], { domain: ours, linkedIn }: CompanySubject): Entity | undefined {
  const texts = (entity: Entity, property: string) =>
    allValues(entity, property).filter((value) => typeof value === 'string')
  const isMeant = (entity: Entity) =>
    (ours !== null && texts(entity, WEBSITE).some((website) => domain(website) === ours)) ||
    (linkedIn !== null && texts(entity, LINKEDIN).some((key) => key.toLowerCase() === linkedIn))
  const isHuman = (entity: Entity) => allValues(entity, INSTANCE_OF).some((value) => idIn(value) === HUMAN)
  const [best] = entities
    .filter((entity) => isMeant(entity) && !isHuman(entity))
    .sort((one, other) => knownOf(other) - knownOf(one))
  return best
}

const knownOf = (entity: Entity) =>
  [HEADQUARTERS, INDUSTRY, EMPLOYEES, FOUNDED, LINKEDIN].filter((property) => allValues(entity, property).length > 0)
    .length
