import { useEffect, useState } from 'react'
import { type Asked, onQuestion } from './confirm.ts'

export const importQuestionDialog = () => import('./question-dialog.tsx')

type Shown = { asked: Asked } & Awaited<ReturnType<typeof importQuestionDialog>>

/** The one place of the page where questions are asked, so that no screen needs the code of dialogs to be drawn. */
export const Questions = () => {
  const [shown, setShown] = useState<Shown>()
  useEffect(
    () =>
      onQuestion((asked) =>
        importQuestionDialog().then(
          ({ QuestionDialog }) => setShown({ asked, QuestionDialog }),
          // What cannot be asked is not agreed to.
          () => asked.answer(false),
        ),
      ),
    [],
  )
  return shown && <shown.QuestionDialog asked={shown.asked} />
}
