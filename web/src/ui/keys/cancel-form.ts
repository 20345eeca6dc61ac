import type { KeyboardEvent } from 'react'
import { confirm, discardConfirmation } from '#web/ui/dialogs/confirm.ts'

type CancelOptions = { isTyped: () => boolean; isBusy?: boolean; onCancel: () => void }

/** Leaves a form by its Cancel button or by Escape, and asks first if something was typed. */
export const createCancel = ({ isTyped, isBusy = false, onCancel }: CancelOptions) => {
  const cancel = async () => {
    if (!isTyped() || (await confirm(discardConfirmation))) onCancel()
  }
  const cancelOnEscape = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !isBusy) void cancel()
  }
  return { cancel, cancelOnEscape }
}
