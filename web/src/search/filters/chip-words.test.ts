import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { OfferedFilter } from '#contract/filters.ts'
import { getFellow } from '#web/fellows/api.ts'
import { formatDay } from '#web/lib/dates.ts'
import { listStages } from '#web/pipeline/api.ts'
import { listTags } from '#web/tags/api.ts'
import { ChipWords } from './chip-words.tsx'
import type { Filters } from './control-props.ts'

const [known, unknown] = ['one', 'two']
const client = new QueryClient()
client.setQueryData(listStages.queryKey, [{ id: known, name: 'Met' }] as never)
client.setQueryData(listTags.queryKey, [{ id: known, name: 'Climate' }] as never)
client.setQueryData(getFellow(known).queryKey, { id: known, name: 'Ada' } as never)

const textOf = (name: OfferedFilter, applied: Filters, of = client) =>
  renderToStaticMarkup(
    createElement(QueryClientProvider, { client: of }, createElement(ChipWords, { name, applied })),
  ).replace(/<\/?bdi>/g, '')

const cohortOf = (name: string) => `${btoa(JSON.stringify([name]))}.signature`
const [from, until] = [formatDay('2026-03-01T00:00'), formatDay('2026-03-04T00:00')]

/** Every chip. A filter without an entry does not compile. */
const CHIPS: Record<OfferedFilter, [Filters, string][]> = {
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
    [{ cohort: cohortOf('figure-added') }, 'Behind a figure'],
    [{ cohort: cohortOf('added') }, 'Since you were last here'],
    [{ cohort: 'x' }, 'Since you were last here'],
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
