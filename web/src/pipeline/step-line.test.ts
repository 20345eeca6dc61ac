import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { dayHere } from '#web/lib/dates.ts'
import { StepLine } from './step-line.tsx'

const textOf = (step: { nextStep: string | null; nextOn: string | null }) =>
  renderToStaticMarkup(createElement(StepLine, { step })).replace(/<[^>]*>/g, ' ')

it('The next step of a record is its text and its day, and says when it is due or late', () => {
  expect(textOf({ nextStep: 'Call her', nextOn: null })).toMatch(/Next step:\s+Call her/)
  expect(textOf({ nextStep: 'Call her', nextOn: '2020-03-01' })).toMatch(/Call her.*2020.*late/)
  expect(textOf({ nextStep: null, nextOn: dayHere() })).toContain('Today')
  expect(textOf({ nextStep: 'Call her', nextOn: '2199-03-01' })).not.toContain('late')
})
