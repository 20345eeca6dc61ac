import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import type { NavCounts } from '#contract/nav-counts.ts'
import { getNavCounts } from '#web/data/api.ts'
import { currentSession, type Session } from '#web/session/api.ts'
import { NavBar } from './nav-bar.tsx'

/** The text of each entry that leads to a path: in the sidebar, and in *More*. */
function entries(path: string, counts: NavCounts) {
  const client = new QueryClient()
  const user = { name: 'Ada', email: 'ada@mit.edu' }
  const session: Session = { user, account: '1', signIn: '1', role: 'manager' }
  client.setQueryData(currentSession.queryKey, session)
  client.setQueryData(getNavCounts.queryKey, counts)
  const bar = createElement(MantineProvider, null, createElement(NavBar))
  const page = createElement(QueryClientProvider, { client }, createElement(MemoryRouter, null, bar))
  const links = renderToStaticMarkup(page).match(/<a .*?<\/a>/g) ?? []
  return links.filter((link) => link.includes(`href="${path}"`)).map((link) => link.replace(/<[^>]*>/g, ''))
}

it.each<[path: string, counts: NavCounts, words: RegExp]>([
  ['/duplicates', { duplicates: 3, waiting: 0 }, /^Data.*3 duplicates$/],
  ['/duplicates', { duplicates: 1000, waiting: 0 }, /^Data.*\d{2,}\+ duplicates$/],
  ['/duplicates', { duplicates: 0, waiting: 2 }, /^Data(Data)?$/],
  ['/programme', { duplicates: 0, waiting: 2 }, /^Programme.*2 waiting$/],
])('The entry of %s has its number in the sidebar and in More: %j', (path, counts, words) => {
  expect(entries(path, counts)).toEqual([expect.stringMatching(words), expect.stringMatching(words)])
})
