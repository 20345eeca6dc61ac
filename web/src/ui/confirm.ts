type Confirmation = { title: string; text: string; confirm: string; cancel: string }

export type PendingConfirmation = { confirmation: Confirmation; answer: (isSure: boolean) => void }

let show = ({ answer }: PendingConfirmation) => answer(false)

/** Sets the function that shows a confirmation (see confirm-dialog-host.tsx). */
export const onConfirm = (listener: (pending: PendingConfirmation) => void) => {
  show = listener
}

/** Asks for confirmation before something is lost. Resolves to true only on confirmation; Escape means no. */
export const confirm = (confirmation: Confirmation) => new Promise<boolean>((answer) => show({ confirmation, answer }))

/** Shown in every form before typed text is discarded. */
export const discardConfirmation: Confirmation = {
  title: 'Discard your changes?',
  text: 'Your changes will be lost.',
  confirm: 'Discard',
  cancel: 'Keep editing',
}
