import { toasts } from '#web/ui/toasts.tsx'
import type { Created } from './api.ts'
import type { RecordKind } from './kind.ts'

export const showAdded = (kind: RecordKind, { enrichedData, notice }: Created) => {
  toasts.success(enrichedData ? kind.texts.addedAndEnriched : `${kind.label} added successfully!`)
  if (notice) toasts.info(notice)
}
