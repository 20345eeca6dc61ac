import { Text } from '@mantine/core'
import { type CSSProperties, lazy, Suspense } from 'react'
import { ErrorBoundary } from '#web/ui/states/error-boundary.tsx'
import classes from './figures.module.css'
import type { Bars, Series } from './small-bars.tsx'

// The library of the dashboard's chart, which is larger than the rest of the page, so it loads last.
const SmallBars = lazy(async () => ({ default: (await import('./small-bars.tsx')).SmallBars }))

type ChartProps = { bars: Bars[]; series: Series[]; unit: string; most?: number }

/** A picture of a table's numbers. Absent without numbers to draw. */
export const Chart = ({ bars, ...props }: ChartProps) => {
  const drawn = bars.filter((bar) => props.series.some(({ name }) => bar[name] !== null))
  if (drawn.length === 0) return null
  return (
    <div className={classes.chart}>
      {props.series.length > 1 && (
        <ul className={classes.legend} aria-hidden="true">
          {props.series.map(({ name, color }) => (
            <li key={name} style={{ '--series': color } as CSSProperties}>
              {name}
            </li>
          ))}
        </ul>
      )}
      <ErrorBoundary fallback={<Text c="dimmed">The chart could not be loaded.</Text>}>
        <Suspense fallback={<div style={{ height: drawn.length * 36 }} />}>
          <SmallBars bars={drawn} {...props} />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
