import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { FiguresQuery, MyFigures as Mine } from '#contract/figures.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { getMyFigures, myViewIn } from './api.ts'
import { CalibrationRow, calibrationColumns } from './calibration-row.tsx'
import { FiguresBar } from './figures-bar.tsx'
import { CountCell, Part, ShareCell } from './numbers.tsx'
import { FiguresSkeleton, NothingYet } from './states.tsx'

/** The figures of the records that the caller has found. */
export function MyFigures() {
  const view = myViewIn(useSearchParams()[0])
  const { data, error, refetch } = useQuery(getMyFigures(view))
  return (
    <>
      <FiguresBar file="/figures/mine.csv" view={view} />
      {data ? (
        <Shown figures={data} kind={view.kind} />
      ) : error ? (
        <ErrorState title="Your figures could not be loaded" error={error} retry={refetch} />
      ) : (
        <FiguresSkeleton />
      )}
    </>
  )
}

type ShownProps = {
  figures: Mine
  kind: FiguresQuery['kind']
}

function Shown({ figures: { found, reached, advanced, passed, reasons, calibration }, kind }: ShownProps) {
  if (found.count === 0) return <NothingYet text="Your figures appear once you have added a record, or met one too." />
  return (
    <>
      <Part
        title="What became of them"
        about="Of the records that you found, first or also: how many have come to each stage and outcome by now."
        columns={['Outcome', 'Records']}
      >
        <tr>
          <th scope="row">Found</th>
          <CountCell of={found} kind={kind} label="found" />
        </tr>
        {reached.map(({ stage, ...share }) => (
          <tr key={stage.id}>
            <th scope="row">{stage.name}</th>
            <ShareCell of={share} kind={kind} label={`reached ${stage.name}`} />
          </tr>
        ))}
        <tr>
          <th scope="row">Advanced</th>
          <ShareCell of={advanced} kind={kind} label="advanced" />
        </tr>
        <tr>
          <th scope="row">Passed</th>
          <ShareCell of={passed} kind={kind} label="passed" />
        </tr>
      </Part>
      {reasons.length > 0 && (
        <Part title="Reasons for passing" about="Why those of yours were passed." columns={['Reason', 'Records']}>
          {reasons.map(({ reason, ...counted }) => (
            <tr key={reason?.id ?? ''}>
              <th scope="row">{reason?.name ?? 'No reason'}</th>
              <CountCell of={counted} kind={kind} label={`passed, ${reason?.name ?? 'no reason'}`} />
            </tr>
          ))}
        </Part>
      )}
      <Part
        title="Calibration"
        about="Of the records that you rated 8 to 10 when adding them: how many advanced, and how many were passed. Imported ratings do not count."
        columns={['Added by', ...calibrationColumns]}
      >
        <CalibrationRow name="You" counts={calibration} kind={kind} />
      </Part>
    </>
  )
}
