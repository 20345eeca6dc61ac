import type { Calibration as Counts, FiguresQuery } from '#contract/figures.ts'
import { Chart } from './chart.tsx'
import { CountLink, ShareLink } from './numbers.tsx'
import { Part } from './part.tsx'

const columns = ['Added by', 'Rated 8 to 10', 'Advanced', 'Passed']

const series = [
  { name: 'Advanced', color: 'var(--mantine-color-anchor)' },
  { name: 'Passed', color: 'var(--field-border)' },
]

type CalibrationProps = {
  about: string
  kind: FiguresQuery['kind']
  rows: { id: string; name: string; counts: Counts }[]
}

const percent = (share: number | null) => share && share * 100

/** What became of records that were rated 8 to 10: numbers, and their shares as bars. */
export const Calibration = ({ about, kind, rows }: CalibrationProps) => (
  <Part
    title="Calibration"
    about={about}
    columns={columns}
    rows={rows.map(({ id, name, counts: { rated, advanced, passed } }) => ({
      id,
      name: <bdi>{name}</bdi>,
      cells: [
        <CountLink key="rated" of={rated} kind={kind} label={`rated 8 to 10, ${name}`} />,
        <ShareLink key="advanced" of={advanced} kind={kind} label={`advanced, ${name}`} />,
        <ShareLink key="passed" of={passed} kind={kind} label={`passed, ${name}`} />,
      ],
    }))}
    chart={
      <Chart
        bars={rows.map(({ name, counts: { advanced, passed } }) => ({
          name,
          Advanced: percent(advanced.share),
          Passed: percent(passed.share),
        }))}
        series={series}
        unit="%"
        most={100}
      />
    }
  />
)
