import { withStorage } from './storage.ts'
import { takeHash } from './take-hash.ts'

// The secret in a link from a mail or an invitation. It stays in this tab until it is used or refused, so that a reload, a
// sign-in and single sign-on do not lose it.

const KEY = 'link-token'
type Link = { path: string; token: string }

/** In addition to storage, which may be full or blocked. */
let link: Link | undefined

const kept = (): Link | undefined =>
  link ?? JSON.parse(withStorage(() => sessionStorage.getItem(KEY)) ?? 'null') ?? undefined

/** Removes the secret from the address. `names` has its name by path. */
export const takeLinkToken = (names: Record<string, string>) => {
  const tokenIn = (values: URLSearchParams) => {
    const name = names[location.pathname]
    return name === undefined ? null : values.get(name)
  }
  const values = takeHash((values) => tokenIn(values) !== null)
  if (!values) return
  link = { path: location.pathname, token: tokenIn(values) ?? '' }
  withStorage(() => sessionStorage.setItem(KEY, JSON.stringify(link)))
}

/** The secret of the link that led to this path. */
export const linkTokenAt = (path: string) => {
  const link = kept()
  return link?.path === path ? link.token : undefined
}

/** Called once the link is used, refused or not wanted. A screen that shows it keeps it. */
export const deleteLinkToken = () => {
  link = undefined
  withStorage(() => sessionStorage.removeItem(KEY))
}
