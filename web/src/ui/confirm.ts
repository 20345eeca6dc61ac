type Question = { title: string; text: string; confirm: string; cancel: string }

export type Asked = { question: Question; answer: (isSure: boolean) => void }

let ask = ({ answer }: Asked) => answer(false)

/** Sets the function that shows questions (see questions.tsx). */
export const onQuestion = (show: (asked: Asked) => void) => {
  ask = show
}

/** Asks before something is lost. Resolves to true only when the person confirms; Escape means no. */
export const confirm = (question: Question) => new Promise<boolean>((answer) => ask({ question, answer }))

/** Asked in every form before typed text is discarded. */
export const discardQuestion: Question = {
  title: 'Discard your changes?',
  text: 'What you typed will be lost.',
  confirm: 'Discard',
  cancel: 'Keep editing',
}
