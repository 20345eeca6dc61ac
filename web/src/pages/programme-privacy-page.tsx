import { Privacy } from '#web/programme/privacy/privacy.tsx'
import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'

export const ProgrammePrivacyPage = () => (
  <ProgrammeFrame part="Privacy">
    <Privacy />
  </ProgrammeFrame>
)
