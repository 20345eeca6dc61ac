import type { FiguresQuery, MyFigures } from '#contract/figures.ts'
import type { Step } from './funnel.tsx'
import { ShareLink } from './numbers.tsx'

type Outcomes = Pick<MyFigures, 'reached' | 'advanced' | 'passed'>

/** The steps of a funnel: each stage, then the decisions. `of` says of which records, for the names of the links. */
export const outcomeSteps = ({ reached, advanced, passed }: Outcomes, kind: FiguresQuery['kind'], of: string): Step[] =>
  [
    ...reached.map(({ stage, ...share }) => ({ ...stage, share, label: `reached ${stage.name}${of}` })),
    { id: 'advanced', name: 'Advanced', share: advanced, label: `advanced${of}` },
    { id: 'passed', name: 'Passed', share: passed, label: `passed${of}` },
  ].map(({ id, name, share, label }) => ({
    ...{ id, name, count: share.count },
    number: <ShareLink of={share} kind={kind} label={label} />,
  }))
