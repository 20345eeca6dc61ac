type Question = { title: string; text: string; confirm: string; cancel: string }

export type Asked = { question: Question; answer: (isSure: boolean) => void }

let ask = ({ answer }: Asked) => answer(false)

/** Takes what shows the questions (see questions.tsx). */
export const onQuestion = (show: (asked: Asked) => void) => {
  ask = show
}

/** Asks before something is lost. Resolves to true only when the person says so; Escape means no. */
export const confirm = (question: Question) => new Promise<boolean>((answer) => ask({ question, answer }))

/** Asked before typed text is given up. */
export const discardQuestion = (title: string) => ({
  title,
  text: 'What you typed will be lost.',
  confirm: 'Discard',
  cancel: 'Keep editing',
})
