import type { KindName } from './kinds.ts'
import { NAME_MAX, RATING_MAX, RATING_MIN, URL_MAX } from './limits.ts'
import { qualityWords } from './quality-kinds.ts'
import { NOT_STARTED, type Status, statusWords } from './status.ts'

// The declaration of the filters of lists, in the order of the API. Queries, their document, conditions, addresses, controls
// and chips loop over it. This file has no schemas, so that a list renders before the page has loaded zod.

/** The changes of records that the live stream sends, those of features by the names of their rows. */
export const liveChanges = ['created', 'updated', 'deleted', 'notes', 'merged', 'tags', 'pipeline'] as const

/** A change of a record. `finders` is the fellow's own; that of another fellow arrives as `updated`. */
export type Change = (typeof liveChanges)[number] | 'finders'

/** A parameter of the calls. Its label begins the sentence that refuses a value. */
export type Parameter = { label: string; description?: string | undefined } & (
  | { takes: 'id'; of: string; orNone?: true }
  | { takes: 'rating' }
  | { takes: 'day' }
  | { takes: 'cohort' }
  | { takes: 'text'; max: number }
  /** One of some values, each with its words. */
  | { takes: 'word'; words: Readonly<Record<string, string>> }
)

/** What a chip says: the words of the value or of the cohort, a text about all values, or the name of what the id stands for. */
type Chip<Name extends PropertyKey> =
  | 'words'
  | 'cohort'
  | ((values: { readonly [One in Name]?: string }, formatDay: (day: string) => string) => string)
  | { nameOf: 'fellow' | 'stage' | 'tag'; before: string; none?: string }

type Entry<Parameters, Shown, Days> = {
  parameters: Parameters
  /** The changes that bring a record into a filtered list or out of it. */
  movedBy: readonly Change[]
  /** Null for a filter that no screen offers. */
  chip: Shown
  /** Whether the values stand for days, which are those of the viewer. */
  hasDays?: Days
  /** Whether readers with the same value get different records. */
  isOfReader?: true
}

/** Keeps the types of an entry exact. */
const filter = <
  const Parameters extends Readonly<Record<string, Parameter>>,
  const Shown extends Chip<keyof Parameters> | null,
  const Days extends true | undefined = undefined,
>(
  entry: Entry<Parameters, Shown, Days>,
) => entry

const id = (label: string, of: string, description: string) => ({ label, takes: 'id', of, description }) as const

const idOrNone = (label: string, of: string, description: string) =>
  ({ ...id(label, of, description), orNone: true }) as const

const word = <const Words extends Readonly<Record<string, string>>>(
  label: string,
  words: Words,
  description?: string,
) => ({ label, takes: 'word', words, ...(description !== undefined && { description }) }) as const

const rating = (label: string) =>
  ({ label, takes: 'rating', description: `${label}. Records that are not rated match none` }) as const

const day = (label: string, description: string) => ({ label, takes: 'day', description }) as const

const address = (label: string) =>
  ({ label, takes: 'text', max: URL_MAX, description: 'The address of the records, in any spelling' }) as const

const wholeValue = (label: string) =>
  ({ label, takes: 'text', max: NAME_MAX, description: 'The whole value, in any case' }) as const

/** The filters of every kind. */
export const sharedFilters = {
  mine: filter({
    parameters: { mine: word('Mine', { true: 'My Records', false: 'All records' }, '`true` for My Records only') },
    movedBy: ['notes', 'merged', 'finders'],
    chip: 'words',
    isOfReader: true,
  }),
  by: filter({
    parameters: { by: id('By', 'a fellow', 'The fellow who found the records, first or also') },
    movedBy: ['updated', 'merged', 'finders'],
    chip: { nameOf: 'fellow', before: 'Found by' },
  }),
  tag: filter({
    parameters: { tag: id('Tag', 'a tag', 'The tag that the records have') },
    movedBy: ['tags', 'merged'],
    chip: { nameOf: 'tag', before: 'Tag' },
  }),
  rating: filter({
    parameters: { ratingMin: rating('The lowest rating'), ratingMax: rating('The highest rating') },
    movedBy: ['updated', 'merged'],
    chip: ({ ratingMin = RATING_MIN, ratingMax = RATING_MAX }) =>
      `Rating ${Number(ratingMin) === Number(ratingMax) ? ratingMin : `${ratingMin}–${ratingMax}`}`,
  }),
  added: filter({
    parameters: { addedAfter: day('Added after', 'The first day'), addedBefore: day('Added before', 'The last day') },
    movedBy: ['merged'],
    chip: ({ addedAfter: from, addedBefore: until }, formatDay) => {
      if (from && until) return `Added ${formatDay(from)} – ${formatDay(until)}`
      return from ? `Added from ${formatDay(from)}` : `Added until ${formatDay(until ?? '')}`
    },
    hasDays: true,
  }),
  quietSince: filter({
    parameters: {
      quietSince: day(
        'No activity since',
        'The first day without activity: a note, an edit, a move, a tag, a link or a meeting by hand. Opinions, imports and public data are none',
      ),
    },
    movedBy: ['updated', 'notes', 'pipeline', 'tags', 'finders', 'merged'],
    chip: ({ quietSince: day = '' }, formatDay) => `No activity since ${formatDay(day)}`,
    hasDays: true,
  }),
  hasNotes: filter({
    parameters: {
      hasNotes: word(
        'Has notes',
        { true: 'With fellow notes', false: 'Without fellow notes' },
        'Whether they have notes of fellows',
      ),
    },
    movedBy: ['notes', 'merged'],
    chip: 'words',
  }),
  stage: filter({
    parameters: { stage: idOrNone('Stage', 'a stage', 'The stage they are in; `none`: not started') },
    movedBy: ['pipeline', 'merged'],
    chip: { nameOf: 'stage', before: 'Stage', none: NOT_STARTED },
  }),
  status: filter({
    parameters: { status: word('Status', statusWords) },
    movedBy: ['pipeline', 'merged'],
    chip: ({ status }) => `Status: ${statusWords[status as Status].toLowerCase()}`,
  }),
  responsible: filter({
    parameters: { responsible: idOrNone('Responsible', 'a fellow', 'The responsible fellow, or `none`') },
    movedBy: ['pipeline', 'merged'],
    chip: { nameOf: 'fellow', before: 'Responsible:', none: 'No responsible fellow' },
  }),
  next: filter({
    parameters: {
      next: word(
        'Next',
        { due: 'Next step due today', late: 'Next step late' },
        'Whose next step is `due` today, or `late`: due on a day before today',
      ),
    },
    movedBy: ['pipeline', 'merged'],
    chip: 'words',
    hasDays: true,
  }),
  reached: filter({
    parameters: { reached: id('Reached', 'a stage', 'A stage that they are in or were in, or a later one') },
    movedBy: ['pipeline', 'merged'],
    chip: { nameOf: 'stage', before: 'Reached' },
  }),
  quality: filter({
    parameters: {
      quality: word(
        'Quality',
        qualityWords,
        '`unmatched`: no value from public data. `unnoted`: added over 14 days ago, without a note of a fellow. `duplicate`: in a pair that may be one record. `overdue`: longer in their stage than its limit, while their time runs',
      ),
    },
    movedBy: ['updated', 'notes', 'pipeline', 'merged'],
    chip: 'words',
  }),
  opinion: filter({
    parameters: {
      opinion: word(
        'Opinion',
        { missing: 'Waiting for your opinion' },
        '`missing`: they have opinions, none of the caller',
      ),
    },
    movedBy: ['updated', 'merged'],
    chip: 'words',
    isOfReader: true,
  }),
  cohort: filter({
    parameters: {
      cohort: {
        label: 'Cohort',
        takes: 'cohort',
        description: 'The records behind a number, as the call with the number names them',
      },
    },
    movedBy: ['updated', 'notes', 'pipeline', 'merged'],
    chip: 'cohort',
  }),
}

/** The filters of each kind that others do not have. */
export const ownFilters = {
  founder: {
    linkedIn: filter({
      parameters: { linkedIn: address('LinkedIn profile') },
      movedBy: ['updated', 'merged'],
      chip: null,
    }),
  },
  company: {
    website: filter({ parameters: { website: address('Website') }, movedBy: ['updated', 'merged'], chip: null }),
    industry: filter({
      parameters: { industry: wholeValue('Industry') },
      movedBy: ['updated', 'merged'],
      chip: ({ industry }) => `Industry: ${industry}`,
    }),
    place: filter({
      parameters: { place: wholeValue('Place') },
      movedBy: ['updated', 'merged'],
      chip: ({ place }) => `Place: ${place}`,
    }),
  },
} satisfies Record<KindName, object>

type KeyOf<Union> = Union extends unknown ? keyof Union : never
type AllOf<One> = { [Name in KeyOf<One>]: Extract<One, Record<Name, unknown>>[Name] }

/** Those that one kind has, of all kinds. What several have is the same. */
export const allOwnFilters = Object.assign({}, ...Object.values(ownFilters)) as AllOf<(typeof ownFilters)[KindName]>

export const filters = { ...sharedFilters, ...allOwnFilters }

type Filters = typeof filters
export type FilterName = keyof Filters
export type Filter = Entry<Readonly<Record<string, Parameter>>, Chip<string> | null, true | undefined>

/** A filter that screens offer. */
export type OfferedFilter = { [Name in FilterName]: null extends Filters[Name]['chip'] ? never : Name }[FilterName]

type ParametersOf<Name extends FilterName> = Filters[Name]['parameters']
export type ParameterName = KeyOf<ParametersOf<FilterName>>

type Value<One> = One extends { takes: 'rating' } ? number : One extends { words: infer Words } ? keyof Words : string

/** The value of a filter, or what is given of the values of a range. */
export type FilterValue<Name extends FilterName> = Name extends keyof ParametersOf<Name>
  ? Value<ParametersOf<Name>[Name]>
  : { [One in keyof ParametersOf<Name>]?: Value<ParametersOf<Name>[One]> | undefined }

/** The value of a parameter. */
export type ParameterValue<Name extends ParameterName> = Value<
  Extract<ParametersOf<FilterName>, Record<Name, unknown>>[Name]
>

/** The filters of a kind. */
export const filtersOf = ({ name }: { name: KindName }) =>
  Object.entries({ ...sharedFilters, ...ownFilters[name] }) as [FilterName, Filter][]
