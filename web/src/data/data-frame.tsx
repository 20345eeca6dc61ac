import type { ReactNode } from 'react'
import { PartPage } from '#web/ui/part-page.tsx'
import { dataParts } from './parts.ts'

/** The frame of the parts of *Data*. */
export const DataFrame = ({ part, children }: { part: string; children: ReactNode }) => (
  <PartPage title="Data" parts={dataParts} part={part}>
    {children}
  </PartPage>
)
