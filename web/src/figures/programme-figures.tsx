import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Figures, FiguresQuery, Share } from '#contract/figures.ts'
import { qualityKinds, qualityWords } from '#contract/quality-kinds.ts'
import { kinds } from '#web/kinds.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { getFigures, getQuality, viewIn } from './api.ts'
import { Calibration } from './calibration.tsx'
import { Chart } from './chart.tsx'
import { FiguresBar } from './figures-bar.tsx'
import { Funnel } from './funnel.tsx'
import { CountLink, Days, listPath, NumberLink, ShareLink } from './numbers.tsx'
import { outcomeSteps } from './outcome-steps.tsx'
import { Part } from './part.tsx'
import { FiguresSkeleton, NothingYet } from './states.tsx'

/** The figures of the programme. The address is the view. */
export function ProgrammeFigures() {
  const view = viewIn(useSearchParams()[0])
  const { data, error, refetch } = useQuery(getFigures(view))
  return (
    <>
      <FiguresBar file="/programme/figures.csv" view={view} />
      {data ? (
        <Shown figures={data} view={view} />
      ) : error ? (
        <ErrorState title="The figures could not be loaded" error={error} retry={refetch} />
      ) : (
        <FiguresSkeleton />
      )}
      <QualityPart />
    </>
  )
}

type ShownProps = { figures: Figures; view: FiguresQuery }

function Shown({
  figures: { added, worked, timeInStage, programme, fellows },
  view: { kind, period: length },
}: ShownProps) {
  if ((added[0]?.added.count ?? 0) === 0) {
    return <NothingYet text="Figures appear once records have been added." />
  }
  const stages = timeInStage.map(({ stage }) => stage.name)
  const first = length === 'quarter' ? 'Quarter' : 'Month'
  const [all] = added
  return (
    <>
      {all && (
        <Funnel
          title="Outcomes"
          about="How far all records have come."
          noun="Outcome"
          steps={[
            {
              ...{ id: 'added', name: 'Added', count: all.added.count },
              number: <CountLink of={all.added} kind={kind} label="added" />,
            },
            ...outcomeSteps(all, kind, ', of all'),
          ]}
        />
      )}
      <Part
        title="By date added"
        about="Of the records added in a period: how many have come to each stage and outcome by now, how many have a note by someone other than who added them, and the median time to the first such note."
        columns={[first, 'Added', ...stages, 'Advanced', 'Passed', 'Note by another', 'First note after']}
        rows={added.map((row) => {
          const of = row.period ?? 'All'
          const share = (counted: Share, label: string) => (
            <ShareLink key={label} of={counted} kind={kind} label={`${label}, added ${of}`} />
          )
          return {
            ...{ id: of, name: of },
            cells: [
              <CountLink key="added" of={row.added} kind={kind} label={`added, ${of}`} />,
              ...row.reached.map(({ stage, ...counted }) => share(counted, `reached ${stage.name}`)),
              share(row.advanced, 'advanced'),
              share(row.passed, 'passed'),
              share(row.noted, 'with a note by another'),
              <Days key="days" days={row.daysToNote} />,
            ],
          }
        })}
      />
      <Part
        title={`Activity by ${first.toLowerCase()}`}
        about={`What happened in each ${first.toLowerCase()}.`}
        columns={[first, 'Active', 'Added', ...stages, 'Advanced', 'Passed']}
        rows={worked.map((row) => {
          const share = (counted: Share, label: string) => (
            <ShareLink key={label} of={counted} kind={kind} label={`${label} in ${row.period}`} />
          )
          return {
            ...{ id: row.period, name: row.period },
            cells: [
              <CountLink key="active" of={row.worked} kind={kind} label={`active in ${row.period}`} />,
              share(row.added, 'added'),
              ...row.reached.map(({ stage, ...counted }) => share(counted, `moved into ${stage.name}`)),
              share(row.advanced, 'advanced'),
              share(row.passed, 'passed'),
            ],
          }
        })}
      />
      <Part
        title="Time in stage"
        about="The median of the days that records spent in a stage, all their stays added up. Records that are there now do not count."
        columns={['Stage', 'Records', 'Median']}
        rows={timeInStage.map(({ stage, days, ...counted }) => ({
          ...{ id: stage.id, name: <bdi>{stage.name}</bdi> },
          cells: [
            <CountLink key="count" of={counted} kind={kind} label={`were in ${stage.name}`} />,
            <Days key="days" days={days} />,
          ],
        }))}
        chart={
          <Chart
            bars={timeInStage.map(({ stage, days }) => ({ name: stage.name, Days: days }))}
            series={DAYS}
            unit="d"
          />
        }
      />
      <Calibration
        about="Of the records that a fellow rated 8 to 10 when adding them: how many advanced, and how many were passed. Imported ratings do not count."
        kind={kind}
        rows={[
          { id: 'all', name: 'Programme', counts: programme },
          ...fellows.map(({ fellow, ...counts }) => ({
            id: fellow?.id ?? '',
            name: fellow?.name ?? 'Unknown',
            counts,
          })),
        ]}
      />
    </>
  )
}

const DAYS = [{ name: 'Days', color: 'var(--mantine-color-anchor)' }]

const rows = [
  ...qualityKinds.map((name) => ({ name, label: qualityWords[name], filters: { quality: name } })),
  { name: 'unassigned' as const, label: 'No responsible fellow', filters: { responsible: 'none' } },
]

/** What records lack. Each number opens its records. */
function QualityPart() {
  const { data, error, refetch } = useQuery(getQuality)
  if (error && !data) return <ErrorState title="Quality could not be loaded" error={error} retry={refetch} />
  return (
    <Part
      title="Quality"
      about="Records that lack something. Open a number to see them."
      columns={['Lacking', ...kinds.map(({ plural }) => plural)]}
      rows={rows.map(({ name, label, filters }) => ({
        ...{ id: name, name: label },
        cells: kinds.map((kind) =>
          data ? (
            <NumberLink
              key={kind.name}
              count={data[name][kind.name]}
              to={listPath(kind.name, filters)}
              label={`${kind.plural}, ${label}`}
            />
          ) : (
            '…'
          ),
        ),
      }))}
    />
  )
}
