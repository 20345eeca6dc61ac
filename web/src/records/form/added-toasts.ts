import type { Created } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { toasts } from '#web/ui/states/toasts.tsx'

export const showAdded = (kind: RecordKind, { enrichedData, notice }: Created) => {
  toasts.success(enrichedData ? kind.texts.addedAndEnriched : `${kind.label} added successfully!`)
  if (notice) toasts.info(notice)
}
