const ROWS_A_PAGE = 50

/** Where a list of records begins. */
export const firstPage = ({ path, search, isMine = false }: { path: string; search: string; isMine?: boolean }) => {
  const query = new URLSearchParams({ limit: String(ROWS_A_PAGE) })
  if (isMine) query.set('mine', 'true')
  if (search !== '') query.set('search', search)
  return `${path}?${query}`
}
