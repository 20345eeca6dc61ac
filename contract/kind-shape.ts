import { z } from 'zod'
import { kindWords } from './kind-words.ts'
import { kindNames } from './kinds.ts'

/** The name of a kind of record in a call. */
export const kindShape = z.enum(kindNames, { error: `Kind must be ${kindWords}` })
