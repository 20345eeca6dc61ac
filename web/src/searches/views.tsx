import '@mantine/core/styles/Popover.css'
import '@mantine/core/styles/Menu.css'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconUsers } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { SavedSearch } from '#contract/saved-search.ts'
import { newsWords, SAVED } from '#contract/search-news.ts'
import type { RecordKind } from '#web/records/kind.ts'
import { listSearches, setSearchSeen } from './api.ts'
import { hadViews } from './had-views.ts'
import { OpenView } from './open-view.tsx'
import { boardAddress, listPath } from './saved-query.ts'
import classes from './views.module.css'

type ViewsProps = {
  kind: RecordKind
  isBoard: boolean
  /** Whether their place is kept. Without it, they are shown when the screen opens the next time, so that nothing moves. */
  isExpected: boolean
  expect: () => void
}

/** The names of saved searches: one's own and pinned ones in a row, the others behind *All views*; and what is open. */
export function Views({ kind, isBoard, isExpected, expect }: ViewsProps) {
  const [parameters] = useSearchParams()
  const { data } = useQuery(listSearches)
  const views = (data?.all ?? []).filter((search) => search.kind === kind.name)
  const open = views.find(({ id }) => id === parameters.get(SAVED))
  const inRow = views.filter((search) => search.isOwn || search.isPinned || search === open)
  const has = data && views.length > 0
  useEffect(() => {
    if (has !== undefined) hadViews.set(kind, has)
  }, [kind, has])
  // A list that was just saved is the person's own act, and may move what is below.
  useEffect(() => {
    if (open && !isExpected) expect()
  }, [open, isExpected, expect])
  if (!isExpected) return null
  const pathOf = (search: SavedSearch) => (isBoard ? boardAddress : listPath)(kind, search)
  return (
    <>
      <nav aria-label="Views" className={classes.row}>
        <ul className={classes.names}>
          {inRow.map((search) => (
            <li key={search.id} className={classes.name} data-open={search === open || undefined}>
              <Link
                to={pathOf(search)}
                preventScrollReset
                aria-current={search === open ? 'page' : undefined}
                className={classes.link}
              >
                <bdi>{search.name}</bdi>
                {search.isShared && (
                  <>
                    <IconUsers size={14} stroke={1.5} aria-hidden="true" />
                    <span className="visually-hidden">shared</span>
                  </>
                )}
              </Link>
              <NewsLink kind={kind} search={search} until={data?.until ?? ''} />
            </li>
          ))}
          {views.length > inRow.length && (
            <li>
              <Menu position="bottom-start" transitionProps={{ duration: 0 }}>
                <Menu.Target>
                  <Button
                    variant="subtle"
                    size="xs"
                    rightSection={<IconChevronDown size={16} stroke={1.5} aria-hidden="true" />}
                  >
                    All views
                  </Button>
                </Menu.Target>
                <Menu.Dropdown className={classes.menu ?? ''}>
                  {views.map((search) => (
                    <Menu.Item key={search.id} component={Link} to={pathOf(search)} preventScrollReset>
                      <bdi>{search.name}</bdi>
                      {!search.isOwn && <span className={classes.by}>by {search.createdBy}</span>}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            </li>
          )}
        </ul>
      </nav>
      {open && !isBoard && <OpenView key={open.id} kind={kind} search={open} />}
    </>
  )
}

type NewsLinkProps = { kind: RecordKind; search: SavedSearch; until: string }

/** *3 new, 2 changed*, which opens exactly those, and is cleared by that. */
function NewsLink({ kind, search, until }: NewsLinkProps) {
  const { mutate } = useMutation(setSearchSeen)
  const words = newsWords(search.news)
  if (!search.news || words === '') return null
  const see = () => mutate({ id: search.id, until })
  return (
    <Link
      to={listPath(kind, search, search.news.isMany ? undefined : search.news.cohort)}
      preventScrollReset
      className={classes.news}
      onClick={see}
      // The middle button opens a tab of its own.
      onAuxClick={({ button }) => button === 1 && see()}
    >
      {words}
      <span className="visually-hidden"> in {search.name}</span>
    </Link>
  )
}
