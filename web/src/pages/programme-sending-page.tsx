import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'
import { Sending } from '#web/programme/sending/sending.tsx'

export const ProgrammeSendingPage = () => (
  <ProgrammeFrame part="Sending">
    <Sending />
  </ProgrammeFrame>
)
