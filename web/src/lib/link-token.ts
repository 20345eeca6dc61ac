// The secret in the link of a mail. It stands on the page itself, as the script that takes it out of the address is a
// file of its own (app/before-paint.ts).

const page: typeof globalThis & { link?: { path: string; token: string } } = globalThis

const tokenAt = (paths: string[]) =>
  paths.includes(location.pathname) ? new URLSearchParams(location.hash.slice(1)).get('token') : null

/**
 * Takes the secret out of the address before anything is asked for: no history and no screenshot has it. It stands after
 * `#`, so that no log of a server or a proxy has it either. That is also why a link to the page that is open already loads
 * nothing by itself, and is helped to.
 */
export const takeLinkToken = (paths: string[]) => {
  addEventListener('hashchange', () => tokenAt(paths) !== null && location.reload())
  const token = tokenAt(paths)
  if (token === null) return
  const { pathname: path, search } = location
  page.link = { path, token }
  history.replaceState(history.state, '', path + search)
}

/** What the link that led to this path carried. */
export const linkTokenAt = (path: string) => (page.link?.path === path ? page.link.token : undefined)
