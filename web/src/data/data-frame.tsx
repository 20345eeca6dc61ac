import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { paths } from '#web/paths.ts'
import { PartPage } from '#web/ui/part-page.tsx'
import { shownCount } from '#web/ui/shown-count.ts'
import { getNavCounts } from './api.ts'
import { useDataParts } from './parts.ts'

/** The frame of the parts of *Data*. */
export function DataFrame({ part, children }: { part: string; children: ReactNode }) {
  // The frame of the page asks.
  const { data } = useQuery({ ...getNavCounts, enabled: false })
  const parts = useDataParts().map((one) => ({
    ...one,
    ...(one.to === paths.duplicates && { count: shownCount(data?.duplicates) }),
  }))
  return (
    <PartPage title="Data" parts={parts} part={part}>
      {children}
    </PartPage>
  )
}
