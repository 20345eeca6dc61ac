import '@mantine/core/styles/InlineInput.css'
import '@mantine/core/styles/Switch.css'
import { Paper, Switch, Text, Title } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useQueryParam } from '#web/lib/use-query-param.ts'
import { getRights } from '#web/session/api.ts'
import { LoadingButton } from '#web/ui/buttons/loading-button.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { listImports } from './api.ts'
import classes from './import.module.css'
import { ImportEntry } from './import-entry.tsx'

/** The imports of the signed-in person, newest first; for managers also those of everyone. */
export function ImportList() {
  const [all, setAll] = useQueryParam('all')
  const maySeeAll = useQuery(getRights).data?.allImports.allowed ?? false
  const isEveryones = maySeeAll && all === 'true'
  const list = useInfiniteQuery(listImports(isEveryones ? 'all' : 'mine'))
  const heading = useRef<HTMLHeadingElement>(null)
  const rows = list.data?.pages.flatMap((page) => page.rows)
  const title = isEveryones ? "Everyone's imports" : 'Your imports'

  if (!maySeeAll && rows?.length === 0) return null
  if (!rows && !list.error) return null
  return (
    <section aria-labelledby="imports">
      <div className={classes.listHead}>
        <Title order={2} size="h4" id="imports" ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {maySeeAll && (
          <Switch
            label="Everyone's"
            checked={isEveryones}
            onChange={({ currentTarget }) => setAll(currentTarget.checked ? 'true' : '')}
          />
        )}
      </div>
      {!rows && <ErrorState title={`${title} could not be loaded`} error={list.error} retry={list.refetch} />}
      {rows?.length === 0 && (
        <Text size="sm" c="dimmed">
          No imports yet
        </Text>
      )}
      {rows && rows.length > 0 && (
        <Paper withBorder component="ul" className={classes.list ?? ''}>
          {rows.map((shown) => (
            <ImportEntry
              key={shown.id}
              import={shown}
              isNamed={isEveryones}
              onDeleted={() => heading.current?.focus({ preventScroll: true })}
            />
          ))}
        </Paper>
      )}
      {list.hasNextPage && (
        <div className={classes.more}>
          <LoadingButton variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Show more
          </LoadingButton>
        </div>
      )}
    </section>
  )
}
