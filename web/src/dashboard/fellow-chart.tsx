import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import type { Kind } from '#contract/kinds.ts'
import { kinds } from '#web/kinds.ts'
import { integerTicks, plotWidth } from './axis.ts'
import classes from './fellow-chart.module.css'

type Group = { id: string; name: string } & Record<Kind['path'], number>

/** The maximum width of a fellow's bars together, which limits them when there are one or two fellows. */
const BARS_AT_MOST = 104
const BAR_AT_MOST = 80
const PLOT_HEIGHT = 356
/** The space above the highest bar, for its number. */
const HEADROOM = 24

const series = kinds.map(({ path, chart }) => ({ name: path, color: chart.color }))
/** The share of a fellow's width that its bars take together. */
const BARS_SHARE = 0.64

// For the keyboard and for screen readers.
const scrollable = { tabIndex: 0, role: 'group', 'aria-label': 'Chart, scrolls sideways' }

/**
 * A bar of each kind for each fellow. When they do not fit, they scroll sideways beside a fixed axis, and fade out at
 * the edge where there are more.
 */
export const FellowChart = ({ groups }: { groups: Group[] }) => {
  const { ref, width } = useElementSize()
  const ticks = integerTicks(Math.max(...groups.flatMap((group) => kinds.map(({ path }) => group[path]))))
  const fullWidth = plotWidth(width, groups.length)
  const barsWidth = Math.min(BARS_AT_MOST, (fullWidth / groups.length) * BARS_SHARE)
  const barWidth = Math.min(BAR_AT_MOST, Math.floor(barsWidth / kinds.length))
  const [isAtStart, setAtStart] = useState(true)
  const [isAtEnd, setAtEnd] = useState(false)
  const isScrollable = fullWidth > width
  const more = isScrollable ? [!isAtStart && 'before', !isAtEnd && 'after'].filter(Boolean).join(' ') : undefined
  return (
    <div className={classes.root}>
      <ol className={classes.axis} aria-hidden="true">
        {ticks.toReversed().map((tick) => (
          <li key={tick}>{tick.toLocaleString('en')}</li>
        ))}
      </ol>
      <div
        ref={ref}
        className={classes.scroll}
        data-more={more}
        onScroll={({ currentTarget: { scrollLeft, scrollWidth, clientWidth } }) => {
          const scrolled = Math.abs(scrollLeft)
          setAtStart(scrolled < 1)
          setAtEnd(scrolled + clientWidth > scrollWidth - 1)
        }}
        {...(isScrollable && scrollable)}
      >
        {width > 0 && (
          <div style={{ width: fullWidth }} aria-hidden="true">
            <BarChart
              h={PLOT_HEIGHT}
              data={groups}
              dataKey="id"
              series={series}
              accessibilityLayer={false}
              withXAxis={false}
              withYAxis={false}
              yAxisProps={{ domain: [0, ticks.at(-1) ?? 0], ticks }}
              withBarValueLabel
              valueFormatter={(count) => count.toLocaleString('en')}
              withTooltip={false}
              barChartProps={{ margin: { top: HEADROOM, right: 0, bottom: 0, left: 0 }, barGap: 4 }}
              barProps={{
                barSize: barWidth,
                radius: [3, 3, 0, 0],
              }}
            />
            <ol className={classes.names}>
              {groups.map(({ id, name }) => (
                <li key={id} className={classes.name} dir="auto" title={name}>
                  {name}
                </li>
              ))}
            </ol>
          </div>
        )}
      </div>
    </div>
  )
}
