import type { Calibration, FiguresQuery } from '#contract/figures.ts'
import { CountCell, ShareCell } from './numbers.tsx'

export const calibrationColumns = ['Rated 8 to 10', 'Advanced', 'Passed']

type RowProps = { name: string; counts: Calibration; kind: FiguresQuery['kind'] }

export const CalibrationRow = ({ name, counts: { rated, advanced, passed }, kind }: RowProps) => (
  <tr>
    <th scope="row">
      <bdi>{name}</bdi>
    </th>
    <CountCell of={rated} kind={kind} label={`rated 8 to 10, ${name}`} />
    <ShareCell of={advanced} kind={kind} label={`advanced, ${name}`} />
    <ShareCell of={passed} kind={kind} label={`passed, ${name}`} />
  </tr>
)
