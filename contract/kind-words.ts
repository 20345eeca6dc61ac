import { kindNames } from './kinds.ts'

/** `founder or company`. */
export const kindWords = new Intl.ListFormat('en', { type: 'disjunction' }).format(kindNames)
