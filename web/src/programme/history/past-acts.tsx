import { Button, Paper, Skeleton, TextInput } from '@mantine/core'
import { IconDownload, IconHistory } from '@tabler/icons-react'
import { infiniteQueryOptions, mutationOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useSearchParams } from 'react-router'
import type { PastAct } from '#contract/programme-history.ts'
import { getFile, getPage, type Page } from '#web/lib/http.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { timeZone } from '#web/lib/time-zone.ts'
import { PagedList } from '#web/records/list/paged-list.tsx'
import { withIdentity } from '#web/session/ask-identity.ts'
import { useDraft } from '#web/session/use-draft.ts'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { toasts } from '#web/ui/states/toasts.tsx'
import { tooLong } from '#web/ui/too-long.ts'
import { ActSelect } from './act-select.tsx'
import { PastActItem } from './past-act-item.tsx'
import classes from './past-acts.module.css'
import { PersonSelect } from './person-select.tsx'

const fields = [
  { name: 'record', label: 'Record', placeholder: 'Link or ID', type: 'text' },
  { name: 'after', label: 'From', placeholder: '', type: 'date' },
  { name: 'before', label: 'To', placeholder: '', type: 'date' },
] as const

const FILTER_MAX = 320

const names = ['person', 'action', ...fields.map(({ name }) => name)] as const

type Filters = Partial<Record<(typeof names)[number], string>>

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i

/** The filters of an address, without empty ones. Of the link of a record, the id counts. */
const queryOf = (filters: Filters) => {
  const record = ID.exec(filters.record ?? '')?.[0] ?? filters.record
  const given = Object.entries({ ...filters, record }).map(([name, value]) => [name, value?.trim() ?? ''])
  return new URLSearchParams(given.filter(([, value]) => value !== '')).toString()
}

/** What everyone did. The address is the view. */
export function PastActs() {
  const [parameters, setParameters] = useSearchParams()
  const shown = Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as Filters
  const query = queryOf(shown)
  // Another view, as after Back, fills the fields.
  const { values: typed, change: setTyped, discard } = useDraft(`history ${query}`, shown)
  const list = useInfiniteQuery(listPastActs(query))
  const { mutate: save, isPending } = useMutation(savePastActs)
  const search = (event: FormEvent) => {
    event.preventDefault()
    if (fields.some(({ name, label }) => tooLong(label, typed[name] ?? '', FILTER_MAX))) return
    discard()
    setParameters(queryOf(typed))
  }
  return (
    <div className="stack-12">
      <Paper component="form" withBorder className={classes.filters} aria-label="Search the history" onSubmit={search}>
        <PersonSelect value={typed.person ?? ''} onChange={(person) => setTyped({ ...typed, person })} />
        <ActSelect value={typed.action ?? ''} onChange={(action) => setTyped({ ...typed, action })} />
        {fields.map(({ name, label, placeholder, type }) => (
          <TextInput
            key={name}
            type={type}
            label={label}
            placeholder={placeholder}
            error={tooLong(label, typed[name] ?? '', FILTER_MAX)}
            value={typed[name] ?? ''}
            onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
          />
        ))}
        <div className={classes.buttons}>
          <Button type="submit">Search</Button>
          <Button
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.5} />}
            disabled={isPending}
            onClick={() => save(query, { onError: (failure) => toasts.failure(failure, 'Failed to export') })}
          >
            Export CSV
          </Button>
        </div>
      </Paper>
      <PagedList
        list={list}
        name="past acts"
        label="History"
        failed="The history could not be loaded"
        skeletons={<Skeletons />}
        nothing={
          <EmptyState
            icon={<IconHistory size={28} stroke={1.5} />}
            title="Nothing found"
            text="Try another person, act, record or day."
          />
        }
      >
        {(act) => <PastActItem act={act} />}
      </PagedList>
    </div>
  )
}

const places = [0, 1, 2, 3, 4, 5]

const Skeletons = () => (
  <div role="status" aria-label="Loading the history" aria-busy="true" className="stack-12">
    {places.map((place) => (
      <Paper key={place} withBorder className={classes.act}>
        <Skeleton height={14} my={5} width="min(60%, 360px)" />
        <Skeleton height={10} my={5} width="min(30%, 160px)" />
      </Paper>
    ))}
  </div>
)

const PATH = '/programme/history'
const A_PAGE = 50

/** The filters of the address, whose days are those of the viewer. */
const withZone = (query: string, ...others: [string, string][]) =>
  new URLSearchParams([...new URLSearchParams(query), ['timeZone', timeZone()], ...others])

/** Newest first, a page at a time. `query` has the filters of the address. */
const listPastActs = (query: string) =>
  infiniteQueryOptions({
    queryKey: ['programme', 'history', query],
    queryFn: ({ pageParam, signal }) => getPage<PastAct>(pageParam, { signal }),
    initialPageParam: `${PATH}?${withZone(query, ['limit', String(A_PAGE)])}`,
    getNextPageParam: (page: Page<PastAct>) => page.next,
    staleTime: 0,
    meta: { failure: 'Failed to fetch the history' },
  })

const savePastActs = mutationOptions({
  mutationFn: async (query: string) => saveFile(await withIdentity(() => getFile(`${PATH}/export?${withZone(query)}`))),
  meta: { failure: 'Failed to export' },
})
