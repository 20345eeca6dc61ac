// The secret in the link of a mail. It stands on the page itself, as the script that takes it out of the address is a
// file of its own (app/before-paint.ts).

const page: typeof globalThis & { link?: { path: string; token: string } } = globalThis

/** Takes the secret out of the address before anything is asked for: no history, no referrer, no screenshot has it. */
export const takeLinkToken = (paths: string[]) => {
  const { pathname: path, search, hash } = location
  const query = new URLSearchParams(search)
  const token = query.get('token')
  if (token === null || !paths.includes(path)) return
  query.delete('token')
  page.link = { path, token }
  history.replaceState(history.state, '', path + (query.size > 0 ? `?${query}` : '') + hash)
}

/** What the link that led to this path carried. */
export const linkTokenAt = (path: string) => (page.link?.path === path ? page.link.token : undefined)
