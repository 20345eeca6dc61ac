type Confirmation = { title: string; text: string; confirm: string; cancel: string }

/** The first answer is the quietest, the last one the foremost. */
export type Question = { title: string; text: string; answers: { label: string; isDanger?: boolean }[] }

/** An answer is its label; undefined for none, such as by Escape. */
export type PendingQuestion = { question: Question; answer: (label: string | undefined) => void }

let show = ({ answer }: PendingQuestion) => answer(undefined)

/** Sets the function that shows a question (see confirm-dialog-host.tsx). */
export const onConfirm = (listener: (pending: PendingQuestion) => void) => {
  show = listener
}

/** Asks which of several ways to go. */
export const choose = (question: Question) => new Promise<string | undefined>((answer) => show({ question, answer }))

/** Asks for confirmation before something is lost. Resolves to true only on confirmation; Escape means no. */
export const confirm = ({ title, text, confirm, cancel }: Confirmation) =>
  new Promise<boolean>((answer) =>
    show({
      question: { title, text, answers: [{ label: cancel }, { label: confirm, isDanger: true }] },
      answer: (label) => answer(label === confirm),
    }),
  )

/** Shown in every form before typed text is discarded. */
export const discardConfirmation: Confirmation = {
  title: 'Discard your changes?',
  text: 'Your changes will be lost.',
  confirm: 'Discard',
  cancel: 'Keep editing',
}
