import { Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { Changes, RecordQuery } from '#web/records/cache/record-query.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { PagesOf } from '#web/records/list/paged-list.tsx'
import type { FoundRow } from '#web/records/record-row.ts'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import classes from './below-results.module.css'
import { FoundRecord } from './found-record.tsx'
import type { Below } from './use-below.ts'

type BelowResultsProps = { kind: RecordKind; query: RecordQuery; below: Below; change: (changes: Changes) => void }

/** What else a search may have meant, below its results. All of it appears at the same time, so that nothing jumps. */
export function BelowResults({ kind, query, below, change }: BelowResultsProps) {
  const { fellows, named, similar, mentions, hasFew } = below
  const [isShown, setShown] = useState(false)
  if (!isShown) {
    if (below.isLoading) return null
    setShown(true)
  }
  return (
    <>
      {named.length > 0 && (
        <Section title="Found by">
          <ul className={classes.fellows}>
            {named.map(({ id, name }) => (
              <li key={id}>
                <button type="button" className={classes.fellow} onClick={() => change({ by: id, search: '' })}>
                  Found by <bdi>{name}</bdi>
                </button>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {fellows.isError && (
        <ErrorState title="Fellows: could not be loaded" error={fellows.error} retry={fellows.refetch} />
      )}
      {hasFew && <Records title="Similar" kind={kind} query={query} list={similar} />}
      <Records title="Also mentioned" kind={kind} query={query} list={mentions} />
    </>
  )
}

type RecordsProps = { title: string; kind: RecordKind; query: RecordQuery; list: PagesOf<FoundRow> }

const Records = ({ title, kind, query, list }: RecordsProps) => {
  const rows = list.data?.pages.flatMap((page) => page.rows)
  // It is tried again after a failure.
  if (rows?.length === 0 || list.isLoading) return null
  return (
    <Section title={title}>
      {rows ? (
        <ul className={classes.records}>
          {rows.map((record) => (
            <li key={record.id}>
              <FoundRecord kind={kind} record={record} search={query.search} />
            </li>
          ))}
        </ul>
      ) : (
        <ErrorState title={`${title}: could not be loaded`} error={list.error} retry={list.refetch} />
      )}
    </Section>
  )
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className={classes.section}>
    <Title order={2} size="h4">
      {title}
    </Title>
    {children}
  </section>
)
