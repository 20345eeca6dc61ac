/** What the address searches for. */
export const firstSearch = (query: string) => (new URLSearchParams(query).get('search') ?? '').trim()
