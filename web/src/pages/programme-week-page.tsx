import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'
import { WeekScreen } from '#web/week/week-screen.tsx'

export const ProgrammeWeekPage = () => (
  <ProgrammeFrame part="This week">
    <WeekScreen />
  </ProgrammeFrame>
)
