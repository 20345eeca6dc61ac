import { kinds } from './kinds.ts'

// Without schemas, so that the dashboard renders before the page has loaded zod.

/** What a fellow may have missed, each cleared once it was seen. */
export const sinceKeys = kinds.map(({ path }) => path)
export type SinceKey = (typeof sinceKeys)[number]
