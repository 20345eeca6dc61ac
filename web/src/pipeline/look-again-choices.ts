import { lookAgainMonths } from '#contract/status.ts'

/** When to look again at a record that is passed, as a person chooses it. */
export const lookAgainChoices = [
  { value: '', label: 'Never' },
  ...lookAgainMonths.map((months) => ({ value: String(months), label: `In ${months} months` })),
]
