import { takeHash } from './take-hash.ts'

// The secret in a link from a mail or an invitation.

let link: { path: string; token: string } | undefined

/** Removes the secret from the address. `names` has its name by path. */
export const takeLinkToken = (names: Record<string, string>) => {
  const tokenIn = (values: URLSearchParams) => {
    const name = names[location.pathname]
    return name === undefined ? null : values.get(name)
  }
  const values = takeHash((values) => tokenIn(values) !== null)
  if (values) link = { path: location.pathname, token: tokenIn(values) ?? '' }
}

/** The secret of the link that led to this path. */
export const linkTokenAt = (path: string) => (link?.path === path ? link.token : undefined)
