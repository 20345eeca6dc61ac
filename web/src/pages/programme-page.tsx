import { People } from '#web/programme/people/people.tsx'
import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'

export const ProgrammePage = () => (
  <ProgrammeFrame part="People">
    <People />
  </ProgrammeFrame>
)
