import type { ReactNode } from 'react'
import { type OfferedFilter, type ParameterName, sharedFilters } from '#contract/filters.ts'
import { qualityWords } from '#contract/quality-kinds.ts'
import { statusWords } from '#contract/status.ts'
import { FellowSelect } from '#web/fellows/fellow-select.tsx'
import type { ControlProps } from './control-props.ts'
import { DateRange, QuietSince, RatingRange, StageSelect, TagSelect, WordSelect } from './inputs.tsx'
import { WholeText } from './whole-text.tsx'

type Control = (props: ControlProps) => ReactNode

const { hasNotes, responsible, stage } = sharedFilters

const word =
  (name: ParameterName, label: string, any: string, words: Readonly<Record<string, string>>): Control =>
  (props) => <WordSelect {...props} {...{ name, label, any, words }} />

const fellow =
  (name: ParameterName, label: string, none?: string): Control =>
  ({ filters, change }) => (
    <FellowSelect label={label} none={none} value={filters[name] ?? ''} onChange={(id) => change({ [name]: id })} />
  )

/** The control of each filter, in the order of the panel and of the chips. Null for a filter that only links set. */
export const controls: Record<OfferedFilter, Control | null> = {
  stage: (props) => <StageSelect {...props} name="stage" label="Stage" none={stage.chip.none} />,
  status: word('status', 'Status', 'Any status', statusWords),
  reached: (props) => <StageSelect {...props} name="reached" label="Reached" />,
  responsible: fellow('responsible', 'Responsible', responsible.chip.none),
  next: word('next', 'Next step', 'Any, or none', { due: 'Due today', late: 'Late' }),
  tag: TagSelect,
  by: fellow('by', 'Found by'),
  rating: RatingRange,
  added: DateRange,
  mine: null,
  quietSince: QuietSince,
  hasNotes: word('hasNotes', 'Fellow notes', 'With or without', hasNotes.parameters.hasNotes.words),
  opinion: word('opinion', 'Opinions', 'With or without', { missing: 'Waiting for yours' }),
  quality: word('quality', 'Quality', 'Any', qualityWords),
  cohort: null,
  industry: (props) => <WholeText {...props} name="industry" label="Industry" example="Such as Fintech" />,
  place: (props) => <WholeText {...props} name="place" label="Place" example="The city of the headquarters" />,
}
