// The secret in a link from a mail or an invitation.

let link: { path: string; token: string } | undefined

/** The name of the secret behind `#`, by path. */
type Names = Record<string, string>

const tokenAt = (names: Names) => {
  const name = names[location.pathname]
  return name === undefined ? null : new URLSearchParams(location.hash.slice(1)).get(name)
}

/**
 * Takes the secret out of the address before the first request, so that it is in no history and no screenshot. It stands
 * behind `#`, so that it is in no log of a server or a proxy either. A link to the open page then changes only the hash,
 * which loads nothing, so the page is reloaded.
 */
export const takeLinkToken = (names: Names) => {
  addEventListener('hashchange', () => tokenAt(names) !== null && location.reload())
  const token = tokenAt(names)
  if (token === null) return
  const { pathname: path, search } = location
  link = { path, token }
  history.replaceState(history.state, '', path + search)
}

/** The secret of the link that led to this path. */
export const linkTokenAt = (path: string) => (link?.path === path ? link.token : undefined)
