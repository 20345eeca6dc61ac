import { z } from 'zod'
import { kindNames } from './kinds.ts'

/** `founder or company`. */
export const kindWords = new Intl.ListFormat('en', { type: 'disjunction' }).format(kindNames)

/** The name of a kind of record in a call. */
export const kindShape = z.enum(kindNames, { error: `Kind must be ${kindWords}` })
