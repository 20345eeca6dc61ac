import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Import, ImportLookUps, ImportOutcome, ImportPatch, ImportRow } from '#contract/import.ts'
import { BASE, get, patch, post } from '#web/lib/http.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'

// All calls about imports.

/** The number of rows in a preview. */
export const ROWS_SHOWN = 20

/** The newest imports of the signed-in person. */
export const listImports = queryOptions({
  queryKey: ['imports'],
  queryFn: ({ signal }) => get<Import[]>('/imports?limit=20', { signal }),
  staleTime: 0,
  meta: { failure: 'Failed to fetch your imports' },
})

/** States in which the server is processing the import. */
export const isBusy = ({ state }: Import) => state === 'reading' || state === 'running' || state === 'reverting'

/** Refetched every second while the server processes it. */
export const getImport = (id: string) =>
  queryOptions({
    queryKey: [...listImports.queryKey, id],
    queryFn: ({ signal }) => get<Import>(`/imports/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? 1_000 : false),
    meta: { failure: 'Failed to fetch this import' },
  })

/** The first rows of an outcome, or of all. `state` is part of the key, because an action changes every row. */
export const listRows = ({ id, state, dialect, mapping, duplicates }: Import, outcome: ImportOutcome | '') =>
  queryOptions({
    queryKey: [...listImports.queryKey, id, 'rows', { state, dialect, mapping, duplicates, outcome }],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ limit: String(ROWS_SHOWN), ...(outcome && { outcome }) })
      return get<ImportRow[]>(`/imports/${id}/rows?${query}`, { signal })
    },
    meta: { failure: 'Failed to fetch the rows of this import' },
  })

/** In JSON Lines if the file is in that format, else as CSV. */
export const refusedFile = ({ id, dialect }: Import) =>
  `${BASE}/imports/${id}/refused.${dialect.format === 'jsonl' ? 'jsonl' : 'csv'}`

/** The response of an action is the updated import. */
const show = (answer: Import, _input: unknown, _result: unknown, { client }: { client: QueryClient }) => {
  client.setQueryData(getImport(answer.id).queryKey, answer)
  return client.invalidateQueries({ queryKey: listImports.queryKey, exact: true })
}

/** A file that is sent again after a lost response is stored once. */
export const uploadFile = (account: string) => {
  const placeOf = ({ name, size, lastModified }: File) => ({
    account,
    form: `upload of ${name} ${size} ${lastModified}`,
  })
  return mutationOptions({
    mutationFn: (file: File) =>
      post<Import>(`/imports?${new URLSearchParams({ name: file.name })}`, file, {
        key: idempotencyKeys.of(placeOf(file)),
      }),
    onSuccess: (answer, file, result, context) => {
      idempotencyKeys.delete(placeOf(file))
      return show(answer, file, result, context)
    },
  })
}

export const changeImport = ({ id }: Import) =>
  mutationOptions({ mutationFn: (input: ImportPatch) => patch<Import>(`/imports/${id}`, input), onSuccess: show })

export const runImport = ({ id }: Import) =>
  mutationOptions({
    mutationFn: () => post<Import>(`/imports/${id}/run`),
    onSuccess: show,
    meta: { failure: 'Failed to start the import' },
  })

export const revertImport = ({ id }: Pick<Import, 'id'>) =>
  mutationOptions({
    mutationFn: () => post<Import>(`/imports/${id}/revert`),
    onSuccess: show,
    meta: { failure: 'Failed to revert the import' },
  })

/** Optional on the page, so a failure is not shown. */
export const getLookUps = ({ id, state }: Import) =>
  queryOptions({
    queryKey: [...listImports.queryKey, id, 'look-ups', state],
    queryFn: ({ signal }) => get<ImportLookUps>(`/imports/${id}/look-ups`, { signal }),
  })

export const startLookUps = (shown: Import) =>
  mutationOptions({
    mutationFn: () => post<ImportLookUps>(`/imports/${shown.id}/look-ups`),
    onSuccess: (answer, _input, _result, { client }) => client.setQueryData(getLookUps(shown).queryKey, answer),
    meta: { failure: 'Failed to start the lookups' },
  })
