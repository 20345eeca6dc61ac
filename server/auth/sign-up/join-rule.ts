import type { Settings } from '#server/env.ts'

const LOCAL_PART = /^[A-Za-z0-9._+'-]{1,64}$/
const LABEL = /^(?!xn--)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

// Rejects what mail servers reject as well: a leading, trailing or doubled dot, and a trailing quote mark.
const BROKEN_LOCAL_PART = /^\.|\.\.|[.']$/

/** Without `joinDomains` any `.edu` domain may join. The team's domain always may. */
export type JoinRule = Pick<Settings, 'teamDomain' | 'joinDomains'>

/**
 * Who may join: an address under `.edu`, or under one of the `.edu` domains that the operator names, or at exactly the
 * team's domain. This is the only place of the rule. Non-ASCII input is refused before case folding, because folding
 * can turn a foreign letter into an ASCII one.
 */
export function mayJoin(address: string, { teamDomain, joinDomains }: JoinRule): boolean {
  if (!/^[\x21-\x7e]+$/.test(address)) return false
  const parts = address.toLowerCase().split('@')
  const [local, domain] = parts
  if (parts.length !== 2 || local === undefined || domain === undefined) return false
  if (!LOCAL_PART.test(local) || BROKEN_LOCAL_PART.test(local) || domain.length > 253) return false
  const labels = domain.split('.')
  if (!labels.every((label) => LABEL.test(label))) return false
  if (domain === teamDomain) return true
  if (labels.length < 2 || labels.at(-1) !== 'edu') return false
  return joinDomains === undefined || joinDomains.some((allowed) => isWithin(domain, allowed))
}

const isWithin = (domain: string, allowed: string) => domain === allowed || domain.endsWith(`.${allowed}`)
