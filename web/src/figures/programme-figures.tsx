import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Figures, FiguresQuery } from '#contract/figures.ts'
import { qualityKinds, qualityWords } from '#contract/quality-kinds.ts'
import { kinds } from '#web/kinds.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { getFigures, getQuality, viewIn } from './api.ts'
import { CalibrationRow, calibrationColumns } from './calibration-row.tsx'
import { FiguresBar } from './figures-bar.tsx'
import { CountCell, DaysCell, listPath, NumberLink, Part, ShareCell } from './numbers.tsx'
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
  return (
    <>
      <Part
        title="By date added"
        about="Of the records added in a period: how many have come to each stage and outcome by now, how many have a note by someone other than who added them, and the median time to the first such note."
        columns={[first, 'Added', ...stages, 'Advanced', 'Passed', 'Note by another', 'First note after']}
      >
        {added.map((row) => {
          const of = row.period ?? 'All'
          return (
            <tr key={of}>
              <th scope="row">{of}</th>
              <CountCell of={row.added} kind={kind} label={`added, ${of}`} />
              {row.reached.map(({ stage, ...share }) => (
                <ShareCell key={stage.id} of={share} kind={kind} label={`reached ${stage.name}, added ${of}`} />
              ))}
              <ShareCell of={row.advanced} kind={kind} label={`advanced, added ${of}`} />
              <ShareCell of={row.passed} kind={kind} label={`passed, added ${of}`} />
              <ShareCell of={row.noted} kind={kind} label={`with a note by another, added ${of}`} />
              <DaysCell days={row.daysToNote} />
            </tr>
          )
        })}
      </Part>
      <Part
        title="By what happened"
        about="The records that were added, first moved into a stage, or decided in a period, and how many of them each happened to."
        columns={[first, 'Worked on', 'Added', ...stages, 'Advanced', 'Passed']}
      >
        {worked.map((row) => (
          <tr key={row.period}>
            <th scope="row">{row.period}</th>
            <CountCell of={row.worked} kind={kind} label={`worked on in ${row.period}`} />
            <ShareCell of={row.added} kind={kind} label={`added in ${row.period}`} />
            {row.reached.map(({ stage, ...share }) => (
              <ShareCell key={stage.id} of={share} kind={kind} label={`moved into ${stage.name} in ${row.period}`} />
            ))}
            <ShareCell of={row.advanced} kind={kind} label={`advanced in ${row.period}`} />
            <ShareCell of={row.passed} kind={kind} label={`passed in ${row.period}`} />
          </tr>
        ))}
      </Part>
      <Part
        title="Time in stage"
        about="The median of the days that records spent in a stage, all their stays added up. Records that are there now do not count."
        columns={['Stage', 'Records', 'Median']}
      >
        {timeInStage.map(({ stage, days, ...counted }) => (
          <tr key={stage.id}>
            <th scope="row">{stage.name}</th>
            <CountCell of={counted} kind={kind} label={`were in ${stage.name}`} />
            <DaysCell days={days} />
          </tr>
        ))}
      </Part>
      <Part
        title="Calibration"
        about="Of the records that a fellow rated 8 to 10 when adding them: how many advanced, and how many were passed. Imported ratings do not count."
        columns={['Added by', ...calibrationColumns]}
      >
        <CalibrationRow name="Programme" counts={programme} kind={kind} />
        {fellows.map(({ fellow, ...counts }) => (
          <CalibrationRow key={fellow?.id ?? ''} name={fellow?.name ?? 'Unknown'} counts={counts} kind={kind} />
        ))}
      </Part>
    </>
  )
}

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
    >
      {rows.map(({ name, label, filters }) => (
        <tr key={name}>
          <th scope="row">{label}</th>
          {kinds.map((kind) => (
            <td key={kind.name}>
              {data ? (
                <NumberLink
                  count={data[name][kind.name]}
                  to={listPath(kind.name, filters)}
                  label={`${kind.plural}, ${label}`}
                />
              ) : (
                '…'
              )}
            </td>
          ))}
        </tr>
      ))}
    </Part>
  )
}
