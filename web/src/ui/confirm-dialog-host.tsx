import { useEffect, useState } from 'react'
import { onConfirm, type PendingConfirmation } from './confirm.ts'

export const importConfirmDialog = () => import('./confirm-dialog.tsx')

type Shown = { pending: PendingConfirmation } & Awaited<ReturnType<typeof importConfirmDialog>>

/** Shows the questions of `confirm`. The dialog's code is loaded with the first one. */
export const ConfirmDialogHost = () => {
  const [shown, setShown] = useState<Shown>()
  useEffect(
    () =>
      onConfirm((pending) =>
        importConfirmDialog().then(
          ({ ConfirmDialog }) => setShown({ pending, ConfirmDialog }),
          // If the dialog cannot be loaded, the answer is no.
          () => pending.answer(false),
        ),
      ),
    [],
  )
  return shown && <shown.ConfirmDialog pending={shown.pending} />
}
