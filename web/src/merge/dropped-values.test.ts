import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { formatDay } from '#web/lib/dates.ts'
import { DroppedValues } from './dropped-values.tsx'

it('The form of a merge names the next step that is dropped', () => {
  const values = [
    { field: 'nextStep', value: 'Call' },
    { field: 'nextOn', value: '2030-01-01' },
  ]
  const markup = renderToStaticMarkup(createElement(DroppedValues, { record: { name: 'Maya Roe' }, values }))
  expect(markup.replaceAll(/<[^>]+>/g, '')).toBe(
    `Not kept of Maya Roe, because the other record has its own: next step Call; next step on ${formatDay('2030-01-01T00:00')}. An undo of the merge gives it back.`,
  )
})
