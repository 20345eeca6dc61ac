import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { RATING_MAX, RATING_MIN } from '#contract/limits.ts'
import type { QualityKind } from '#contract/quality-kinds.ts'
import { type Status, statusWords } from '#contract/status.ts'
import { getFellow } from '#web/fellows/api.ts'
import { FellowSelect, NONE } from '#web/fellows/fellow-select.tsx'
import { formatDay } from '#web/lib/dates.ts'
import { NOT_STARTED } from '#web/pipeline/words.ts'
import { qualityWords } from '#web/records/quality-words.ts'
import type { FilterName } from '#web/records/record-query.ts'
import type { ControlProps, Filters } from './control-props.ts'
import { DateRange, NotesSelect, OpinionSelect, QualitySelect, RatingRange, WholeText } from './controls.tsx'
import { NextSelect, StageSelect, StageWords, StatusSelect, TagSelect, TagWords } from './pipeline-controls.tsx'

/** What a person chooses to filter by: its filters, how a chip says it, and its control. */
export type Choice = {
  names: FilterName[]
  Words: (props: { filters: Filters }) => ReactNode
  /** Absent for a filter that only links set. */
  Control?: (props: ControlProps) => ReactNode
}

/** By the name of the choice in `record-query.ts`, in the order of the panel. */
export const choices: Record<string, Choice> = {
  stage: {
    names: ['stage'],
    Words: ({ filters: { stage = '' } }) => (stage === NONE ? NOT_STARTED : <StageWords before="Stage" id={stage} />),
    Control: ({ filters, change }) => (
      <StageSelect
        label="Stage"
        none={NOT_STARTED}
        value={filters.stage ?? ''}
        onChange={(stage) => change({ stage })}
      />
    ),
  },
  status: {
    names: ['status'],
    Words: ({ filters }) => `Status: ${statusWords[filters.status as Status].toLowerCase()}`,
    Control: StatusSelect,
  },
  reached: {
    names: ['reached'],
    Words: ({ filters }) => <StageWords before="Reached" id={filters.reached ?? ''} />,
    Control: ({ filters, change }) => (
      <StageSelect label="Reached" value={filters.reached ?? ''} onChange={(reached) => change({ reached })} />
    ),
  },
  responsible: {
    names: ['responsible'],
    Words: ({ filters: { responsible = '' } }) =>
      responsible === NONE ? NO_ONE : <FellowWords before="Responsible:" id={responsible} />,
    Control: ({ filters, change }) => (
      <FellowSelect
        label="Responsible"
        none={NO_ONE}
        value={filters.responsible ?? ''}
        onChange={(responsible) => change({ responsible })}
      />
    ),
  },
  next: {
    names: ['next'],
    Words: ({ filters }) => (filters.next === 'late' ? 'Next step late' : 'Next step due today'),
    Control: NextSelect,
  },
  tag: {
    names: ['tag'],
    Words: ({ filters }) => <TagWords id={filters.tag ?? ''} />,
    Control: TagSelect,
  },
  by: {
    names: ['by'],
    Words: ({ filters }) => <FellowWords before="Found by" id={filters.by ?? ''} />,
    Control: ({ filters, change }) => (
      <FellowSelect label="Found by" value={filters.by ?? ''} onChange={(by) => change({ by })} />
    ),
  },
  rating: {
    names: ['ratingMin', 'ratingMax'],
    Words: ({ filters: { ratingMin = RATING_MIN, ratingMax = RATING_MAX } }) =>
      `Rating ${Number(ratingMin) === Number(ratingMax) ? ratingMin : `${ratingMin}–${ratingMax}`}`,
    Control: RatingRange,
  },
  added: {
    names: ['addedAfter', 'addedBefore'],
    Words: ({ filters: { addedAfter, addedBefore } }) => {
      if (!addedBefore) return `Added from ${dayOf(addedAfter)}`
      return addedAfter ? `Added ${dayOf(addedAfter)} – ${dayOf(addedBefore)}` : `Added until ${dayOf(addedBefore)}`
    },
    Control: DateRange,
  },
  hasNotes: {
    names: ['hasNotes'],
    Words: ({ filters }) => (filters.hasNotes === 'true' ? 'With fellow notes' : 'Without fellow notes'),
    Control: NotesSelect,
  },
  opinion: {
    names: ['opinion'],
    Words: () => 'Waiting for your opinion',
    Control: OpinionSelect,
  },
  quality: {
    names: ['quality'],
    Words: ({ filters: { quality = '' } }) => qualityWords[quality as QualityKind],
    Control: QualitySelect,
  },
  cohort: {
    names: ['cohort'],
    Words: ({ filters: { cohort = '' } }) => (isOfFigure(cohort) ? 'Behind a figure' : 'Since you were last here'),
  },
  industry: {
    names: ['industry'],
    Words: ({ filters }) => `Industry: ${filters.industry}`,
    Control: ({ filters, change }) => (
      <WholeText
        label="Industry"
        example="Such as Fintech"
        value={filters.industry ?? ''}
        onChange={(industry) => change({ industry })}
      />
    ),
  },
  place: {
    names: ['place'],
    Words: ({ filters }) => `Place: ${filters.place}`,
    Control: ({ filters, change }) => (
      <WholeText
        label="Place"
        example="The city of the headquarters"
        value={filters.place ?? ''}
        onChange={(place) => change({ place })}
      />
    ),
  },
}

/** A cohort names what it stands for first. */
function isOfFigure(cohort: string): boolean {
  try {
    return atob((cohort.split('.')[0] ?? '').replaceAll('-', '+').replaceAll('_', '/')).startsWith('["figure-')
  } catch {
    return false
  }
}

/** A calendar day, the same in every time zone. */
const dayOf = (day = '') => formatDay(`${day}T00:00`)

const NO_ONE = 'No responsible fellow'

const FellowWords = ({ before, id }: { before: string; id: string }) => {
  const { data, isPending } = useQuery(getFellow(id))
  if (isPending) return `${before} …`
  return (
    <>
      {before} {data ? <bdi>{data.name}</bdi> : 'a fellow'}
    </>
  )
}
