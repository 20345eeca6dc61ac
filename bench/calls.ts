import type { Page } from './caller.ts'
import type { Terms } from './terms.ts'

/** One request, in the form of the load generator. */
export type Request = { method: 'GET' | 'POST' | 'PUT'; path: string; body?: unknown }

/** A measured call: many requests of one sort, so that no single row or term decides. */
export type Call = { name: string; requests: Request[] }

const get = (path: string): Request => ({ method: 'GET', path })
export const LIMIT = 50
export const ADD_NOTES = 'add a note'
const NOTES =
  'Met at demo day. Ships a sensor for water mains, two utilities pay already; the third pilot starts in May.'

/** All measured calls, for a signed-in fellow. */
export function callsFor(world: { ids: string[]; mine: string[]; deepPage: string; terms: Terms }): Call[] {
  const search = (terms: string[]) =>
    terms.map((term) => get(`/api/founders?limit=${LIMIT}&search=${encodeURIComponent(term)}`))
  return [
    { name: 'me', requests: [get('/api/auth/me')] },
    { name: 'list', requests: [get(`/api/founders?limit=${LIMIT}`)] },
    { name: 'list, 1,000 pages deep', requests: [get(world.deepPage)] },
    { name: 'get', requests: world.ids.map((id) => get(`/api/founders/${id}`)) },
    ...Object.entries(world.terms).map(([name, terms]) => ({ name: `search, ${name}`, requests: search(terms) })),
    { name: 'dashboard', requests: [get('/api/dashboard')] },
    { name: 'my founders', requests: [get(`/api/founders?limit=${LIMIT}&mine=true`)] },
    { name: 'my companies', requests: [get(`/api/companies?limit=${LIMIT}&mine=true`)] },
    { name: 'my notes', requests: [get('/api/notes/my-notes')] },
    { name: 'notes of a founder', requests: world.ids.map((id) => get(`/api/notes/founder/${id}?limit=${LIMIT}`)) },
    {
      name: ADD_NOTES,
      requests: world.ids.map((id) => ({ method: 'POST', path: `/api/notes/founder/${id}`, body: { content: NOTES } })),
    },
    {
      name: 'update',
      requests: world.mine.map((id, index) => ({
        method: 'PUT',
        path: `/api/founders/${id}`,
        body: { notes: `${NOTES} ${index}`, rating: (index % 10) + 1 },
      })),
    },
    createFounders,
  ]
}

export const createFounders: Call = {
  name: 'create',
  requests: Array.from({ length: 50 }, (_, index) => ({
    method: 'POST',
    path: '/api/founders',
    body: { name: `Amara Nwosu ${index}`, linkedIn: `https://www.linkedin.com/in/amara-nwosu-${index}`, notes: NOTES },
  })),
}

/** The URL of a page that is `depth` rows deep, found like a reader finds it, by following `Link` from page to page. */
export async function pageAt(get: (path: string) => Promise<Page>, depth: number, more = ''): Promise<string> {
  const stride = 500
  let path = `/api/founders?limit=${stride}${more}`
  for (let passed = 0; passed < depth; passed += stride) {
    const { next } = await get(path)
    if (next === undefined) break
    path = next
  }
  return path.replace(`limit=${stride}`, `limit=${LIMIT}`)
}
