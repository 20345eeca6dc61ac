import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { FiguresBar } from './figures-bar.tsx'

it('Figures by period say that they count in UTC', () => {
  const bar = createElement(FiguresBar, {
    file: '/programme/figures.csv',
    view: { kind: 'founder', period: 'quarter' },
  })
  const page = [MemoryRouter, MantineProvider].reduce<ReturnType<typeof createElement>>(
    (inner, Outer) => createElement(Outer as typeof MantineProvider, null, inner),
    createElement(QueryClientProvider, { client: new QueryClient() }, bar),
  )
  expect(renderToStaticMarkup(page)).toContain('Days are counted in UTC.')
})
