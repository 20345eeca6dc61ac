import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { FiguresQuery, MyFigures as Mine } from '#contract/figures.ts'
import { withArticle } from '#contract/plain-text.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { getMyFigures, myViewIn } from './api.ts'
import { Calibration } from './calibration.tsx'
import { FiguresBar } from './figures-bar.tsx'
import { Funnel } from './funnel.tsx'
import { CountLink } from './numbers.tsx'
import { outcomeSteps } from './outcome-steps.tsx'
import { Part } from './part.tsx'
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
  if (found.count === 0) return <NothingYet text={`Add ${withArticle(kind)} to see your figures.`} />
  return (
    <>
      <Funnel
        title="Outcomes"
        about="How far the records you found have come."
        noun="Outcome"
        steps={[
          { id: 'found', name: 'Found', ...found, number: <CountLink of={found} kind={kind} label="found" /> },
          ...outcomeSteps({ reached, advanced, passed }, kind, ''),
        ]}
      />
      {reasons.length > 0 && (
        <Part
          title="Reasons given"
          about="For passing on the records you found."
          columns={['Reason', 'Records']}
          rows={reasons.map(({ reason, ...counted }) => ({
            id: reason?.id ?? '',
            name: <bdi>{reason?.name ?? 'No reason'}</bdi>,
            cells: [<CountLink key="" of={counted} kind={kind} label={`passed, ${reason?.name ?? 'no reason'}`} />],
          }))}
        />
      )}
      <Calibration
        about="Of the records that you rated 8 to 10 when adding them: how many advanced, and how many were passed. Imported ratings do not count."
        kind={kind}
        rows={[{ id: 'me', name: 'You', counts: calibration }]}
      />
    </>
  )
}
