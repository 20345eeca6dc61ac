import { PastActs } from '#web/programme/history/past-acts.tsx'
import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'

export const ProgrammeHistoryPage = () => (
  <ProgrammeFrame part="History">
    <PastActs />
  </ProgrammeFrame>
)
