import type { Created } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { toasts } from '#web/ui/states/toasts.tsx'

/** `onAddAnother`: opens another form, which the message offers. */
export const showAdded = (kind: RecordKind, { enrichedData, notice }: Created, onAddAnother?: () => void) => {
  const message = enrichedData ? kind.texts.addedAndEnriched : `${kind.label} added successfully!`
  if (onAddAnother) toasts.withActions(message, { label: 'Add another', onAct: onAddAnother })
  else toasts.success(message)
  if (notice) toasts.info(notice)
}
