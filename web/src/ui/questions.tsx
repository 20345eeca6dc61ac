import { useEffect, useState } from 'react'
import { type Asked, onQuestion } from './confirm.ts'
import { ownFile } from './own-file.ts'

export const questionFile = ownFile(async () => (await import('./question-dialog.tsx')).QuestionDialog)

/** What cannot be asked is not agreed to. */
const whenHere = (show: (asked: Asked) => void) => (asked: Asked) =>
  questionFile.load().then(
    () => show(asked),
    () => asked.answer(false),
  )

/** The one place of the page where questions are asked, so that no screen needs the code of dialogs to be drawn. */
export const Questions = () => {
  const [asked, setAsked] = useState<Asked>()
  useEffect(() => onQuestion(whenHere(setAsked)), [])
  const QuestionDialog = questionFile.loaded
  return asked && QuestionDialog && <QuestionDialog asked={asked} />
}
