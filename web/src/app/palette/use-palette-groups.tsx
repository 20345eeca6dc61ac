import {
  IconBell,
  IconBolt,
  IconBookmark,
  IconChartBar,
  IconDatabase,
  IconKeyboard,
  IconLogout,
  IconPlus,
  IconSearch,
  IconSunMoon,
  IconUser,
} from '@tabler/icons-react'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { useColorSchemeSwitch } from '#web/app/app-shell/color-scheme.tsx'
import { useLogout } from '#web/app/app-shell/logout.tsx'
import { navItems, useNav } from '#web/app/app-shell/nav.ts'
import { useDataParts } from '#web/data/parts.ts'
import { kinds } from '#web/kinds.ts'
import { paths, recordPath, searchPath, viewPath } from '#web/paths.ts'
import { findAnywhere, getRecord } from '#web/records/api.ts'
import type { RecordKind } from '#web/records/kind.ts'
import type { FoundRow, RecordRow } from '#web/records/record-row.ts'
import { listSearches } from '#web/searches/api.ts'
import { useOfferedCommands } from '#web/ui/keys/commands.ts'
import { matching, type PaletteGroup, type PaletteItem } from './palette-items.ts'

const RECENT_MAX = 5

/** `term` follows what is typed a moment later, because the server searches it. */
type Wanted = { typed: string; term: string; openKeys: () => void }

/**
 * The lines of the palette: records, commands of the screen, screens, commands of every screen, and at the end the searches
 * of the screens. `matches` is the number of lines before these.
 */
export function usePaletteGroups({ typed, term, openKeys }: Wanted) {
  const navigate = useNavigate()
  const { moreItems, addActions } = useNav()
  const dataParts = useDataParts()
  const offered = useOfferedCommands()
  const { label: schemeLabel, onClick: switchScheme } = useColorSchemeSwitch()
  const { onClick: logOut } = useLogout()
  const client = useQueryClient()
  const { data: searches } = useQuery(listSearches)
  const found = useQueries({ queries: kinds.map((kind) => findAnywhere(kind, term)) })

  const goTo = (id: string, label: string, to: string, Icon: PaletteItem['Icon']): PaletteItem => ({
    ...{ id, label, Icon },
    run: () => navigate(to),
  })
  const recordItem = (kind: RecordKind, record: FoundRow): PaletteItem => ({
    ...{ id: record.id, label: record.name },
    detail: record.mention ? <p dir="auto">{record.mention.excerpt}</p> : <kind.Title record={record} search="" />,
    picture: { src: kind.brief(record).picture, isSquare: kind.isSquare },
    run: () => navigate(recordPath(kind, record)),
  })

  const here = offered.map(
    ({ label, key, run }, place): PaletteItem => ({
      ...{ id: `here-${place}`, label, key, run, Icon: IconBolt },
    }),
  )
  const screens = [
    ...[...navItems, ...moreItems].map(({ to, label, Icon }) => goTo(to, label, to, Icon)),
    ...dataParts.map(({ to, label }) => goTo(`data-${to}`, label, to, IconDatabase)),
    { ...goTo(paths.inbox, 'Inbox', paths.inbox, IconBell), key: 'G I' },
    goTo(paths.myFigures, 'My figures', paths.myFigures, IconChartBar),
    goTo(paths.account, 'Account', paths.account, IconUser),
  ]
  // Before anything is typed, those that a list shows in its row.
  const offeredViews = (searches?.all ?? []).filter(({ isOwn, isPinned }) => typed !== '' || isOwn || isPinned)
  const views = offeredViews.map((search) => ({
    ...goTo(`view-${search.id}`, search.name, viewPath(search), IconBookmark),
    ...(search.about !== '' && { detail: <p dir="auto">{search.about}</p> }),
  }))
  const commands = [
    ...addActions.map(({ to, label }) => goTo(to, label, to, IconPlus)),
    { id: 'scheme', label: schemeLabel, Icon: IconSunMoon, run: switchScheme },
    { id: 'keys', label: 'Keyboard shortcuts', key: '?', Icon: IconKeyboard, run: openKeys },
    { id: 'logout', label: 'Logout', Icon: IconLogout, run: logOut },
  ]
  // A kind with a record of that name comes before one with similar names or mentions.
  const hasNamed = ({ items }: PaletteGroup) => matching(items, term).length > 0
  const records = kinds
    .map(
      (kind, place): PaletteGroup => ({
        label: kind.plural,
        items: term === '' ? [] : (found[place]?.data ?? []).map((record) => recordItem(kind, record)),
      }),
    )
    .sort((one, other) => Number(hasNamed(other)) - Number(hasNamed(one)))
  const recordSearches = kinds.map((kind) =>
    goTo(`search-${kind.path}`, `Search ${kind.path} for "${typed}"`, searchFor(kind, typed), IconSearch),
  )
  const recent = kinds
    .flatMap((kind) =>
      client
        .getQueryCache()
        .findAll({ queryKey: getRecord(kind, '').queryKey.slice(0, 2) })
        .flatMap(({ state }) =>
          state.data === undefined ? [] : { kind, record: state.data as RecordRow, at: state.dataUpdatedAt },
        ),
    )
    .sort((one, other) => other.at - one.at)
    // The address of a merged record has the record that it was merged into.
    .filter(({ record }, place, all) => all.findIndex((one) => one.record.id === record.id) === place)
    .slice(0, RECENT_MAX)
    .map(({ kind, record }) => recordItem(kind, record))

  const groups: PaletteGroup[] = [
    ...(typed === '' ? [{ label: 'Recent records', items: recent }] : records),
    { label: 'On this screen', items: matching(here, typed) },
    { label: 'Views', items: matching(views, typed) },
    { label: 'Go to', items: matching(screens, typed) },
    { label: 'Commands', items: matching(commands, typed) },
  ].filter(({ items }) => items.length > 0)
  return {
    groups: typed === '' ? groups : [...groups, { label: 'Search', items: recordSearches }],
    matches: groups.reduce((sum, { items }) => sum + items.length, 0),
    isSearching: typed !== term || found.some(({ isFetching }) => isFetching),
    hasFailed: term !== '' && found.some(({ isError }) => isError),
  }
}

const searchFor = (kind: RecordKind, search: string) => `${searchPath(kind)}?${new URLSearchParams({ search })}`
