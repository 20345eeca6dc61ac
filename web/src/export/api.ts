import { mutationOptions } from '@tanstack/react-query'
import type { ExportFormat } from '#contract/export.ts'
import type { Kind } from '#contract/kinds.ts'
import { getFile } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { parametersOf, type RecordQuery } from '#web/records/cache/record-query.ts'
import { withIdentity } from '#web/session/ask-identity.ts'

export type Export = { kind: Kind; format: ExportFormat; query: RecordQuery }

/** Saves an export as a file. Fetches it first, so that a refusal appears as a message and not as a file. */
export const saveExport = mutationOptions({
  mutationFn: async ({ kind, format, query }: Export) => {
    const path = `/${kind.path}/export?${new URLSearchParams({ format, timeZone: timeZone(), ...parametersOf(query) })}`
    saveFile(await withIdentity(() => getFile(path)))
  },
  meta: { failure: 'Failed to export' },
})
