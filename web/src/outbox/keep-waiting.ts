import { ApiError, isReachable } from '#web/lib/http.ts'
import type { NewRecord } from '#web/records/api.ts'
import type { AfterAdding } from '#web/records/form/link-values.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { type WaitingForm, waitingForms } from './waiting-forms.ts'

const NO_ROOM = 'You are offline, and this device could not store the form. Keep this page open, and try again later.'

type Kept = { kind: RecordKind; account: string; edited: WaitingForm | undefined; after?: AfterAdding }

/**
 * Keeps a form that could not be sent. False where the server can be reached after all: then only the response was lost,
 * and the person may send the form again. Throws if the device refuses to store it.
 */
export async function keepWaiting(
  { kind, account, edited, after }: Kept,
  { values, key }: NewRecord,
  wasOnline: boolean,
): Promise<boolean> {
  if (await isReachable()) return false
  const form: WaitingForm = {
    ...{ id: edited?.id ?? waitingForms.newId(), kind: kind.name, values, after, key },
    triedAt: edited?.triedAt ?? (wasOnline ? Date.now() : undefined),
  }
  if (!waitingForms.keep(account, form)) throw new ApiError(0, { error: NO_ROOM })
  // Otherwise browsers may delete what a site stores when they need room.
  void navigator.storage?.persist?.().catch(() => {})
  return true
}
