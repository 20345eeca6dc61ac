import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { NameForm } from './name-form.tsx'

const textOf = (name: string) =>
  renderToStaticMarkup(
    createElement(
      MantineProvider,
      null,
      createElement(
        QueryClientProvider,
        { client: new QueryClient() },
        createElement(NameForm, { name, email: 'ada@mit.edu' }),
      ),
    ),
  )

it.each([
  ['ada', 'This name comes from your address. Enter your full name'],
  ['Ada Lovelace', 'Shown to every fellow on your records and notes.'],
])('The form for the name %s says: %s', (name, sentence) => {
  expect(textOf(name)).toContain(sentence)
})
