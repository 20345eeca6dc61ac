import { ProgrammeFigures } from '#web/figures/programme-figures.tsx'
import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'

export const ProgrammeFiguresPage = () => (
  <ProgrammeFrame part="Figures">
    <ProgrammeFigures />
  </ProgrammeFrame>
)
