import type { ReactNode } from 'react'
import { paths, programmePath } from '#web/paths.ts'
import { PartPage } from '#web/ui/part-page.tsx'

const parts = [
  { to: paths.programme, label: 'People' },
  { to: programmePath('pipeline'), label: 'Stages and reasons' },
  { to: programmePath('week'), label: 'This week' },
  { to: programmePath('figures'), label: 'Figures' },
  { to: programmePath('privacy'), label: 'Privacy' },
  { to: programmePath('sending'), label: 'Sending' },
  { to: programmePath('history'), label: 'History' },
]

/** The frame of the programme's screens. */
export const ProgrammeFrame = ({ part, children }: { part: string; children: ReactNode }) => (
  <PartPage title="Programme" parts={parts} part={part}>
    {children}
  </PartPage>
)
