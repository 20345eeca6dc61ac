import { useEffect, useState } from 'react'
import { type Asked, onQuestion } from './confirm.ts'

export const importQuestionDialog = () => import('./question-dialog.tsx')

type Shown = { asked: Asked } & Awaited<ReturnType<typeof importQuestionDialog>>

/** Shows the questions of `confirm`. The dialog's code is loaded with the first one. */
export const Questions = () => {
  const [shown, setShown] = useState<Shown>()
  useEffect(
    () =>
      onQuestion((asked) =>
        importQuestionDialog().then(
          ({ QuestionDialog }) => setShown({ asked, QuestionDialog }),
          // If the dialog cannot be loaded, the answer is no.
          () => asked.answer(false),
        ),
      ),
    [],
  )
  return shown && <shown.QuestionDialog asked={shown.asked} />
}
