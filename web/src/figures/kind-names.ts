import { kinds } from '#contract/kinds.ts'

export const kindNames = kinds.map(({ name }) => name)
