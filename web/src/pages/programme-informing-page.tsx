import { Informing } from '#web/programme/informing/informing.tsx'
import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'

export const ProgrammeInformingPage = () => (
  <ProgrammeFrame title="Founders to inform">
    <Informing />
  </ProgrammeFrame>
)
