import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Import, ImportOutcome, ImportPatch, ImportRow } from '#contract/import.ts'
import { BASE, get, patch, post } from '#web/lib/http.ts'

// All calls about imports.

/** The rows of a preview. */
export const ROWS_SHOWN = 20

/** The newest imports of the signed-in person. */
export const listImports = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => get<Import[]>('/imports?limit=20', { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to fetch your imports' },
})

/** The server works on it by itself in these states. */
export const isBusy = ({ state }: Import) => state === 'reading' || state === 'running' || state === 'reverting'

/** Fetched every second while the server works on it. */
export const getImport = (id: string) =>
  queryOptions({
    queryKey: [...listImports.queryKey, id],
    queryFn: ({ signal }) => get<Import>(`/imports/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? 1_000 : false),
    meta: { failure: 'Failed to fetch this import' },
  })

/** The first rows of an outcome, or of all. `state` is a part of the key, because an act changes every row. */
export const listRows = ({ id, state, dialect, mapping, duplicates }: Import, outcome: ImportOutcome | '') =>
  queryOptions({
    queryKey: [...listImports.queryKey, id, 'rows', { state, dialect, mapping, duplicates, outcome }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ limit: String(ROWS_SHOWN), ...(outcome && { outcome }) })
      return get<ImportRow[]>(`/imports/${id}/rows?${query}`, { signal })
    },
    meta: { failure: 'Failed to fetch the rows of this import' },
  })

export const refusedFile = ({ id }: Import) => `${BASE}/imports/${id}/refused.csv`

/** The answer of an act is the import as it is then. */
const show = (answer: Import, _input: unknown, _result: unknown, { client }: { client: QueryClient }) => {
  client.setQueryData(getImport(answer.id).queryKey, answer)
  return client.invalidateQueries({ queryKey: listImports.queryKey, exact: true })
}

export const uploadFile = mutationOptions({
  mutationFn: (file: File) => post<Import>(`/imports?${new URLSearchParams({ name: file.name })}`, file),
  onSuccess: show,
})

export const changeImport = ({ id }: Import) =>
  mutationOptions({ mutationFn: (input: ImportPatch) => patch<Import>(`/imports/${id}`, input), onSuccess: show })

export const runImport = ({ id }: Import) =>
  mutationOptions({
    mutationFn: () => post<Import>(`/imports/${id}/run`),
    onSuccess: show,
    meta: { failure: 'Failed to start the import' },
  })

export const revertImport = ({ id }: Import) =>
  mutationOptions({
    mutationFn: () => post<Import>(`/imports/${id}/revert`),
    onSuccess: show,
    meta: { failure: 'Failed to revert the import' },
  })
