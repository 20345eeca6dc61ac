import { isSameSite, siteHost } from '#server/names/keys.ts'

// Organisations in a page's JSON-LD (schema.org), in any of the shapes that sites use.

export type Node = Record<string, unknown>

/** More than any real page has. The limit keeps a page of nested brackets from blocking other requests. */
const NODES_MAX = 5_000

/** Types of organisation in schema.org, by their suffix. `Service` alone is something that is sold. */
const ORGANISATION =
  /(Organi[sz]ation|Corporation|Business|Company|Store|NGO|Airline|Consortium|Cooperative|Agency|RealEstateAgent|(Financial|Professional|Legal|Emergency|Government)Service|Restaurant|Hotel|Hospital|Clinic|Dentist|School|CollegeOrUniversity)$/

/**
 * The properties that lead from a page to its organisation. Organisations elsewhere are customers, parents or
 * reviewers.
 */
const OWN = new Set(['@graph', 'mainEntity', 'mainEntityOfPage', 'publisher', 'about', 'isPartOf', 'copyrightHolder'])

/**
 * The JSON of a script; undefined when it is invalid. Ignores surrounding comments and CDATA marks of older systems.
 */
export function parseJsonLd(script: string): unknown {
  // Line breaks inside strings are invalid but common. Elsewhere they have no meaning.
  const bare = script.replace(/<!\[CDATA\[|\]\]>(?=[^\]}]*$)/g, ' ').replace(/\p{Cc}/gu, ' ')
  const end = Math.max(bare.lastIndexOf('}'), bare.lastIndexOf(']'))
  try {
    return JSON.parse(bare.slice(Math.max(0, bare.search(/[{[]/)), end + 1))
  } catch {
    return undefined
  }
}

/** The first value, single or in an array, without its wrapper of language or type. */
export function first(value: unknown): unknown {
  const one = Array.isArray(value) ? value[0] : value
  return isNode(one) && '@value' in one ? one['@value'] : one
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The organisations that describe the site on `hosts`: usually one node, several where a site repeats itself. */
export function ownOrganisations(jsonLd: unknown[], hosts: string[], pageUrl: string): Node[] {
  const { organisations, byId } = collect(jsonLd)
  const placed = organisations.map(({ node, isOwn }) => {
    const address = addressOf(node, pageUrl)
    const host = address && siteHost(address.href)
    const isHere = host ? hosts.some((other) => isSameSite(host, other)) : false
    return { node, isOwn, isNowhere: !host, isHere, isHome: isHere && address?.pathname === '/' }
  })
  const choices = [
    placed.filter(({ isOwn, isHome }) => isOwn && isHome),
    placed.filter(({ isOwn, isHere }) => isOwn && isHere).slice(0, 1),
    placed.filter(({ isHome }) => isHome).slice(0, 1),
    placed.filter(({ isOwn, isNowhere }) => isOwn && isNowhere).slice(0, 1),
  ]
  const chosen = choices.find((choice) => choice.length > 0) ?? []
  return chosen.map(({ node }) => withReferences(node, byId))
}

/** All organisations, outer ones first, and all nodes that others may refer to. */
function collect(jsonLd: unknown[]) {
  const organisations: { node: Node; isOwn: boolean }[] = []
  const byId = new Map<string, Node>()
  const queue = jsonLd.map((value) => ({ value, isOwn: true }))
  const add = (value: unknown, isOwn: boolean) => {
    if (typeof value === 'object' && value !== null && queue.length < NODES_MAX) queue.push({ value, isOwn })
  }
  // The queue grows while the loop walks it, so any depth of nesting works.
  for (const { value, isOwn } of queue) {
    if (Array.isArray(value)) for (const one of value) add(one, isOwn)
    if (!isNode(value)) continue
    if (isOrganisation(value)) organisations.push({ node: value, isOwn })
    if (typeof value['@id'] === 'string' && !isReference(value)) byId.set(value['@id'], value)
    const isInside = isOrganisation(value)
    for (const [key, child] of Object.entries(value)) add(child, isOwn && !isInside && OWN.has(key))
  }
  return { organisations, byId }
}

const isOrganisation = ({ '@type': type }: Node) =>
  (Array.isArray(type) ? type : [type]).some((one) => typeof one === 'string' && ORGANISATION.test(one))

const isReference = (node: Node) => Object.keys(node).length === 1

/** Replaces references by `@id` with the nodes themselves. */
const withReferences = (node: Node, byId: Map<string, Node>): Node =>
  Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      const one = first(value)
      const id = isNode(one) && isReference(one) ? one['@id'] : undefined
      return [key, (typeof id === 'string' && byId.get(id)) || value]
    }),
  )

/** The addresses of an organisation. Its `@id` counts only when it is a full URL. */
function addressOf(node: Node, pageUrl: string): URL | null {
  const url = first(node.url)
  const named = isNode(url) ? url['@id'] : url
  if (typeof named === 'string' && named.trim() !== '') return URL.parse(named, pageUrl)
  return typeof node['@id'] === 'string' ? URL.parse(node['@id']) : null
}
