import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import type { InboxCount } from '#contract/inbox.ts'
import { countInbox } from './api.ts'
import { BellNews } from './bell-news.tsx'

/** What is read aloud, and what is seen. */
function bellOf(count: InboxCount) {
  const client = new QueryClient()
  client.setQueryData(countInbox.queryKey, count)
  const news = createElement(MemoryRouter, null, createElement(BellNews))
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client }, news))
  const [aloud = ''] = /(?<=visually-hidden">)[^<]*/.exec(markup) ?? []
  return {
    aloud,
    number: /aria-hidden="true">([^<]+)</.exec(markup)?.[1] ?? '',
    hasDot: /aria-hidden="true"><\/span>/.test(markup),
  }
}

it.each<[InboxCount, ReturnType<typeof bellOf>]>([
  [
    { you: 0, news: false },
    { aloud: '', number: '', hasDot: false },
  ],
  [
    { you: 3, news: false },
    { aloud: '3 for you', number: '3', hasDot: false },
  ],
  [
    { you: 0, news: true },
    { aloud: 'news', number: '', hasDot: true },
  ],
  [
    { you: 3, news: true },
    { aloud: '3 for you and news', number: '3', hasDot: true },
  ],
  [
    { you: 100, news: false },
    { aloud: '99+ for you', number: '99+', hasDot: false },
  ],
])('Unread lines for the person are the number of the bell, and news is a dot: %j', (count, bell) => {
  expect(bellOf(count)).toEqual(bell)
})
