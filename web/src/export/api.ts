import { mutationOptions, queryOptions } from '@tanstack/react-query'
import type { ExportFormat, ExportRights } from '#contract/export.ts'
import type { Kind } from '#contract/kinds.ts'
import { get, getFile } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { parametersOf, type RecordQuery } from '#web/records/record-query.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

export type Export = { kind: Kind; format: ExportFormat; query: RecordQuery }

/** Only decides what is offered, so a failure is not shown. */
export const getExportRights = queryOptions({
  queryKey: ['export-rights'],
  queryFn: ({ signal }) => get<ExportRights>('/export-rights', { signal }),
})

/** Saves an export as a file. Fetches it first, so that a refusal appears as a message and not as a file. */
export const saveExport = mutationOptions({
  mutationFn: async ({ kind, format, query }: Export) => {
    const path = `/${kind.path}/export?${new URLSearchParams({ format, timeZone: timeZone(), ...parametersOf(query) })}`
    saveFile(await withIdentity(() => getFile(path)))
  },
  meta: { failure: 'Failed to export' },
})
