import { expect, it } from 'vitest'
import { actionsThat } from '#contract/audit-actions.ts'
import { actChoices, isFound } from './act-words.ts'

const found = (text: string) => actChoices.filter((choice) => isFound(choice, text)).map(({ value }) => value)

it.each([
  ['merged', ['merge']],
  ['login', ['login']],
  ['passed', ['update-pipeline']],
  ['deleted note', ['delete-note']],
  ['reset password', ['account-reset,account-reset-password']],
])('Words find acts: %s', (text, values) => {
  expect(found(text)).toEqual(expect.arrayContaining(values))
})

it('Offers every act that managers read once', () => {
  const offered = actChoices.flatMap(({ value }) => value.split(','))
  expect(offered.toSorted()).toEqual(actionsThat(({ readers }) => readers !== 'operator').toSorted())
})

it('finds nothing by other words', () => {
  expect(found('zzzz')).toEqual([])
})
