// The secret in a link: of a mail, or an invitation.

let link: { path: string; token: string } | undefined

/** By path, what the secret is called behind `#`. */
type Names = Record<string, string>

const tokenAt = (names: Names) => {
  const name = names[location.pathname]
  return name === undefined ? null : new URLSearchParams(location.hash.slice(1)).get(name)
}

/**
 * Takes the secret out of the address before anything is asked for: no history and no screenshot has it. It stands after
 * `#`, so that no log of a server or a proxy has it either. That is also why a link to the page that is open already loads
 * nothing by itself, and is helped to.
 */
export const takeLinkToken = (names: Names) => {
  addEventListener('hashchange', () => tokenAt(names) !== null && location.reload())
  const token = tokenAt(names)
  if (token === null) return
  const { pathname: path, search } = location
  link = { path, token }
  history.replaceState(history.state, '', path + search)
}

/** What the link that led to this path carried. */
export const linkTokenAt = (path: string) => (link?.path === path ? link.token : undefined)
