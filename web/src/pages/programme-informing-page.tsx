import { Title } from '@mantine/core'
import { Informing } from '#web/programme/informing/informing.tsx'
import { ProgrammeFrame } from '#web/programme/programme-frame.tsx'

export const ProgrammeInformingPage = () => (
  <ProgrammeFrame part="Founders to inform">
    <Title order={2} size="h4">
      Founders to inform
    </Title>
    <Informing />
  </ProgrammeFrame>
)
