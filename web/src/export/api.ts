import { mutationOptions } from '@tanstack/react-query'
import type { ExportFormat } from '#contract/export.ts'
import type { Kind } from '#contract/kinds.ts'
import { getFile } from '#web/lib/http.ts'

export type Export = { kind: Kind; format: ExportFormat; isMine: boolean }

/** Saves an export as a file. Fetches it first, so that a refusal appears as a message and not as a file. */
export const saveExport = mutationOptions({
  mutationFn: async ({ kind, format, isMine }: Export) => {
    const query = new URLSearchParams({ format, ...(isMine && { mine: 'true' }) })
    const file = await getFile(`/${kind.path}/export?${query}`)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(file)
    link.download = file.name
    link.click()
    URL.revokeObjectURL(link.href)
  },
  meta: { failure: 'Failed to export' },
})
