import { useEffect, useState } from 'react'
import { onConfirm, type PendingQuestion } from './confirm.ts'

export const importConfirmDialog = () => import('./confirm-dialog.tsx')

type Shown = { pending: PendingQuestion } & Awaited<ReturnType<typeof importConfirmDialog>>

/** Shows the questions of `confirm`. The dialog's code is loaded with the first one. */
export const ConfirmDialogHost = () => {
  const [shown, setShown] = useState<Shown>()
  useEffect(
    () =>
      onConfirm((pending) =>
        importConfirmDialog().then(
          ({ ConfirmDialog }) => setShown({ pending, ConfirmDialog }),
          // If the dialog cannot be loaded, the answer is none.
          () => pending.answer(undefined),
        ),
      ),
    [],
  )
  return shown && <shown.ConfirmDialog pending={shown.pending} />
}
