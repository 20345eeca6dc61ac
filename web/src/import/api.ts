import { infiniteQueryOptions, mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import type { Import, ImportLookUps, ImportOutcome, ImportPatch, ImportRow } from '#contract/import.ts'
import type { MatchedField } from '#contract/pipeline-fields.ts'
import type { PassingReason, Stage } from '#contract/stage.ts'
import { statuses, statusWords } from '#contract/status.ts'
import { del, get, getPage, type Page, patch, post } from '#web/lib/http.ts'
import { idempotencyKeys } from '#web/lib/idempotency-keys.ts'
import { importsKey, isBusy, listsOfImports } from './list-imports.ts'

// All calls about imports but that of the list, which the router knows.

/** The number of rows in a preview. */
export const ROWS_SHOWN = 20

/** Refetched every second while the server processes it. */
export const getImport = (id: string) =>
  queryOptions({
    queryKey: [...importsKey, id],
    queryFn: ({ signal }) => get<Import>(`/imports/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) ? 1_000 : false),
    meta: { failure: 'Failed to fetch this import' },
  })

/** The rows to show: all, those of an outcome, or those that are imported with a sentence. */
export type RowFilter = ImportOutcome | 'marked' | ''

/** Page after page. What the server says of the import is part of the key, because it decides every row. */
export const listRows = ({ id, done: _done, total: _total, error: _error, ...options }: Import, filter: RowFilter) =>
  infiniteQueryOptions({
    queryKey: [...importsKey, id, 'rows', filter, options],
    queryFn: ({ pageParam, signal }) => getPage<ImportRow>(pageParam, { signal }),
    initialPageParam: `/imports/${id}/rows?${new URLSearchParams({
      limit: String(ROWS_SHOWN),
      ...(filter === 'marked' ? { marked: 'true' } : filter !== '' && { outcome: filter }),
    })}`,
    getNextPageParam: (page: Page<ImportRow>) => page.next,
    meta: { failure: 'Failed to fetch the rows of this import' },
  })

/** In JSON Lines if the file is in that format, else as CSV. */
export const refusedFile = ({ id, dialect }: Import) =>
  `/imports/${id}/refused.${dialect.format === 'jsonl' ? 'jsonl' : 'csv'}`

type Choice = { id: string; name: string }

const statusChoices = statuses.map((id): Choice => ({ id, name: statusWords[id] }))

/** What a value of a file can stand for. */
export const choicesFor = (field: Exclude<MatchedField, 'responsible'>) =>
  queryOptions({
    queryKey: [...importsKey, 'choices', field],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      if (field === 'status') return statusChoices
      if (field === 'reason') return get<PassingReason[]>('/passing-reasons', { signal })
      return (await get<Stage[]>('/stages', { signal })).filter(({ archived }) => !archived)
    },
    meta: { failure: 'Failed to fetch the choices' },
  })

/** The response of an action is the updated import. A read from before it could still arrive, and show it as it was. */
const show = async (answer: Import, _input: unknown, _result: unknown, { client }: { client: QueryClient }) => {
  const { queryKey } = getImport(answer.id)
  await client.cancelQueries({ queryKey, exact: true })
  client.setQueryData(queryKey, answer)
  await client.invalidateQueries({ queryKey: listsOfImports })
}

type Upload = { file: File; signal: AbortSignal; onProgress: (share: number) => void }

/** A file that is sent again after a lost response is stored once. */
export const uploadFile = (account: string) => {
  const placeOf = ({ file: { name, size, lastModified } }: Upload) => ({
    account,
    form: `upload of ${name} ${size} ${lastModified}`,
  })
  return mutationOptions({
    mutationFn: (upload: Upload) => {
      const { file, signal, onProgress } = upload
      const key = idempotencyKeys.of(placeOf(upload))
      return post<Import>(`/imports?${new URLSearchParams({ name: file.name })}`, file, { key, signal, onProgress })
    },
    onSuccess: (answer, upload, result, context) => {
      idempotencyKeys.delete(placeOf(upload))
      return show(answer, upload, result, context)
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

export const cancelImport = ({ id }: Import) =>
  mutationOptions({
    mutationFn: () => post<Import>(`/imports/${id}/cancel`),
    onSuccess: show,
    meta: { failure: 'Failed to cancel the import' },
  })

export const deleteImport = ({ id }: Import) =>
  mutationOptions({
    mutationFn: () => del(`/imports/${id}`),
    onSuccess: (_nothing, _input, _result, { client }) => {
      client.removeQueries({ queryKey: getImport(id).queryKey })
      return client.invalidateQueries({ queryKey: listsOfImports })
    },
    meta: { failure: 'Failed to delete the import' },
  })

/** Adds rows although a record may be the same: with the run, or immediately after it. */
export const addRows = ({ id }: Import) =>
  mutationOptions({
    mutationFn: (rows: number[] | 'all') => post<Import>(`/imports/${id}/add`, { rows }),
    onSuccess: show,
    meta: { failure: 'Failed to add' },
  })

/** Optional on the page, so a failure is not shown. */
export const getLookUps = ({ id, state, counts: { created } }: Import) =>
  queryOptions({
    queryKey: [...importsKey, id, 'look-ups', state, created],
    queryFn: ({ signal }) => get<ImportLookUps>(`/imports/${id}/look-ups`, { signal }),
  })

export const startLookUps = (shown: Import) =>
  mutationOptions({
    mutationFn: () => post<ImportLookUps>(`/imports/${shown.id}/look-ups`),
    onSuccess: (answer, _input, _result, { client }) => client.setQueryData(getLookUps(shown).queryKey, answer),
    meta: { failure: 'Failed to start the lookups' },
  })
