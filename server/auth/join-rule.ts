const LOCAL_PART = /^[A-Za-z0-9._+'-]{1,64}$/
const LABEL = /^(?!xn--)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

// What mail servers refuse as well: a dot that is first, last or doubled, and a quote mark at the end.
const BROKEN_LOCAL_PART = /^\.|\.\.|[.']$/

/**
 * Who may join: an address under `.edu`, or at exactly the team's domain. The only place of this rule.
 * Anything but ASCII is refused before a letter is folded, since folding can turn a foreign letter into one of ours.
 */
export function mayJoin(address: string, teamDomain: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(address)) return false
  const parts = address.toLowerCase().split('@')
  const [local, domain] = parts
  if (parts.length !== 2 || local === undefined || domain === undefined) return false
  if (!LOCAL_PART.test(local) || BROKEN_LOCAL_PART.test(local) || domain.length > 253) return false
  const labels = domain.split('.')
  if (!labels.every((label) => LABEL.test(label))) return false
  return domain === teamDomain || (labels.length >= 2 && labels.at(-1) === 'edu')
}
