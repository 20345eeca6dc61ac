import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { ErrorBoundary } from '#web/ui/states/error-boundary.tsx'
import classes from './figures.module.css'
import type { Bars, Series } from './small-bars.tsx'

// The library of the dashboard's chart, which is larger than the rest of the page, so it loads last.
const SmallBars = lazy(async () => ({ default: (await import('./small-bars.tsx')).SmallBars }))

/** A picture of a table's numbers. Absent without numbers to draw. */
export const Chart = ({ bars, ...props }: { bars: Bars[]; series: Series[]; unit: string }) => {
  const drawn = bars.filter((bar) => props.series.some(({ name }) => bar[name] !== null))
  if (drawn.length === 0) return null
  return (
    <div className={classes.chart}>
      <ErrorBoundary fallback={<Text c="dimmed">The chart could not be loaded.</Text>}>
        <Suspense fallback={<div style={{ height: drawn.length * 36 }} />}>
          <SmallBars bars={drawn} {...props} />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
