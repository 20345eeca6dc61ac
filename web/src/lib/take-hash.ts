/**
 * Removes the fragment from the address, before the first request, if this page wants it. It is then in no history,
 * screenshot, or log of a server or a proxy. A link to the open page changes only the fragment, which loads nothing, so
 * the page is then reloaded.
 */
export const takeHash = (isWanted: (values: URLSearchParams) => boolean): URLSearchParams | undefined => {
  const given = () => {
    const values = new URLSearchParams(location.hash.slice(1))
    return isWanted(values) ? values : undefined
  }
  addEventListener('hashchange', () => given() && location.reload())
  const values = given()
  if (values) history.replaceState(history.state, '', location.pathname + location.search)
  return values
}
