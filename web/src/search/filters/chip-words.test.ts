import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { OfferedFilter } from '#contract/filters.ts'
import { getFellow } from '#web/fellows/api.ts'
import { formatDay } from '#web/lib/dates.ts'
import { listReasons, listStages } from '#web/pipeline/api.ts'
import { listTags } from '#web/tags/api.ts'
import { ChipWords } from './chip-words.tsx'
import { CohortWords } from './cohort-words.tsx'
import type { Filters } from './control-props.ts'

const [known, unknown] = ['one', 'two']
const client = new QueryClient()
client.setQueryData(listStages.queryKey, [{ id: known, name: 'Met' }] as never)
client.setQueryData(listReasons.queryKey, [{ id: known, name: 'Too early' }] as never)
client.setQueryData(listTags.queryKey, [{ id: known, name: 'Climate' }] as never)
client.setQueryData(getFellow(known).queryKey, { id: known, name: 'Ada' } as never)

const textOf = (name: OfferedFilter, applied: Filters, of = client) =>
  renderToStaticMarkup(
    createElement(
      QueryClientProvider,
      { client: of },
      name === 'cohort'
        ? createElement(CohortWords, { cohort: applied.cohort ?? '' })
        : createElement(ChipWords, { name, applied }),
    ),
  ).replace(/<\/?bdi>/g, '')

const cohortOf = (...content: string[]) => `${btoa(JSON.stringify(content)).replaceAll('=', '')}.signature`
const [from, until] = [formatDay('2026-03-01T00:00'), formatDay('2026-03-04T00:00')]

/** Every chip. A filter without an entry does not compile. */
const CHIPS: Record<OfferedFilter, [Filters, string][]> = {
  mine: [[{ mine: 'true' }, 'My Records']],
  by: [[{ by: known }, 'Found by Ada']],
  tag: [
    [{ tag: known }, 'Tag: Climate'],
    [{ tag: unknown }, 'A deleted tag'],
  ],
  rating: [
    [{ ratingMin: '3' }, 'Rating 3–10'],
    [{ ratingMax: '4' }, 'Rating 1–4'],
    [{ ratingMin: '4', ratingMax: '4' }, 'Rating 4'],
  ],
  added: [
    [{ addedAfter: '2026-03-01' }, `Added from ${from}`],
    [{ addedBefore: '2026-03-04' }, `Added until ${until}`],
    [{ addedAfter: '2026-03-01', addedBefore: '2026-03-04' }, `Added ${from} – ${until}`],
  ],
  quietSince: [[{ quietSince: '2026-03-01' }, `No activity since ${from}`]],
  hasNotes: [
    [{ hasNotes: 'true' }, 'With fellow notes'],
    [{ hasNotes: 'false' }, 'Without fellow notes'],
  ],
  stage: [
    [{ stage: known }, 'Stage: Met'],
    [{ stage: unknown }, 'Stage: unknown'],
    [{ stage: 'none' }, 'Not started'],
  ],
  status: [[{ status: 'on_hold' }, 'Status: on hold']],
  responsible: [
    [{ responsible: known }, 'Responsible: Ada'],
    [{ responsible: 'none' }, 'No responsible fellow'],
  ],
  next: [
    [{ next: 'due' }, 'Next step due today'],
    [{ next: 'late' }, 'Next step late'],
  ],
  reached: [[{ reached: known }, 'Reached: Met']],
  quality: [
    [{ quality: 'unmatched' }, 'No public data found'],
    [{ quality: 'duplicate' }, 'Possible duplicates'],
  ],
  opinion: [[{ opinion: 'missing' }, 'Waiting for your opinion']],
  cohort: [
    [{ cohort: cohortOf('figure-added', '2026-Q3', known) }, 'Reached Met, added in Q3 2026'],
    [{ cohort: cohortOf('figure-added', '2026-07', 'all') }, 'Added in July 2026'],
    [{ cohort: cohortOf('figure-added', 'all', 'noted') }, 'Noted by another fellow'],
    [{ cohort: cohortOf('figure-added', 'all', 'all') }, 'All added'],
    [{ cohort: cohortOf('figure-added', 'all', unknown) }, 'Reached a deleted stage'],
    [{ cohort: cohortOf('figure-worked', '2026-Q3', 'all') }, 'Active in Q3 2026'],
    [{ cohort: cohortOf('figure-worked', '2026-Q3', 'passed') }, 'Passed in Q3 2026'],
    [{ cohort: cohortOf('figure-worked', '2026-Q3', known) }, 'Moved to Met in Q3 2026'],
    [{ cohort: cohortOf('figure-stayed', known) }, 'Time in Met has ended'],
    [{ cohort: cohortOf('figure-rated', 'all', 'rated') }, 'Rated 8 to 10 when added'],
    [{ cohort: cohortOf('figure-rated', known, 'advanced') }, 'Advanced, rated 8 to 10 when added by Ada'],
    [{ cohort: cohortOf('figure-rated', 'none', 'passed') }, 'Passed, rated 8 to 10 when added, by an unknown fellow'],
    [{ cohort: cohortOf('figure-mine', 'all') }, 'Found by you'],
    [{ cohort: cohortOf('figure-mine', known) }, 'Reached Met, found by you'],
    [{ cohort: cohortOf('figure-my-passed', known) }, 'Passed: Too early, found by you'],
    [{ cohort: cohortOf('figure-my-passed', 'none') }, 'Passed without a reason, found by you'],
    [{ cohort: cohortOf('figure-my-rated', 'rated') }, 'Rated 8 to 10 when you added them'],
    [{ cohort: cohortOf('week', 'moved', '2026-W48', known) }, 'Moved: Met, week 48 of 2026, as of now'],
    [{ cohort: cohortOf('week', 'passed', '2026-W48', known) }, 'Passed: Too early, week 48 of 2026, as of now'],
    [{ cohort: cohortOf('week', 'found', '2026-W48', known) }, 'Found by: Ada, week 48 of 2026, as of now'],
    [{ cohort: cohortOf('week', 'new', '2026-W48', 'null') }, 'New, week 48 of 2026, as of now'],
    [{ cohort: cohortOf('added') }, 'Added since you were last here'],
    [{ cohort: cohortOf('news') }, 'New or changed since you last looked'],
    [{ cohort: cohortOf('given-at-once', known) }, 'Given to you at once'],
    [{ cohort: cohortOf('changed-by-act', known) }, 'Changed at once, followed by you'],
    [{ cohort: 'x' }, 'Behind a number'],
  ],
  industry: [[{ industry: 'Water' }, 'Industry: Water']],
  place: [[{ place: 'Oslo' }, 'Place: Oslo']],
}

it.each(Object.keys(CHIPS) as OfferedFilter[])('The chip of the filter %s says what it shows', (name) => {
  for (const [applied, text] of CHIPS[name]) expect(textOf(name, applied)).toBe(text)
})

it.each([
  [{ by: known }, 'by', 'Found by …'],
  [{ responsible: known }, 'responsible', 'Responsible: …'],
  [{ tag: known }, 'tag', 'Tag …'],
  [{ stage: known }, 'stage', 'Stage: …'],
  [{ reached: known }, 'reached', 'Reached: …'],
] as const)('The chip of %j is short until its name is known', (applied, name, text) => {
  expect(textOf(name, applied, new QueryClient())).toBe(text)
})
