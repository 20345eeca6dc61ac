import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'

export type Bars = { name: string } & Record<string, number | string | null>
export type Series = { name: string; color: string }

/** `most` is the end of the axis, if it is not the longest bar. */
type SmallBarsProps = { bars: Bars[]; series: Series[]; unit: string; most?: number | undefined }

const ROW = 36
const NAME_MAX = 14

/** Bars from left to right beside a table that has their numbers. */
export const SmallBars = ({ bars, series, unit, most }: SmallBarsProps) => (
  <div aria-hidden="true">
    <BarChart
      h={bars.length * ROW}
      data={bars}
      dataKey="name"
      series={series}
      orientation="vertical"
      accessibilityLayer={false}
      gridAxis="none"
      withXAxis={false}
      {...(most !== undefined && { xAxisProps: { domain: [0, most] } })}
      withTooltip={false}
      withBarValueLabel
      valueFormatter={(value) => `${Math.round(value)} ${unit}`}
      yAxisProps={{
        width: 104,
        tickLine: false,
        tickFormatter: (name: string) => (name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1)}…` : name),
      }}
      barChartProps={{ margin: { top: 0, right: 44, bottom: 0, left: 0 }, barGap: 2 }}
      barProps={{ barSize: series.length > 1 ? 11 : 18, radius: [0, 3, 3, 0], isAnimationActive: false }}
    />
  </div>
)
